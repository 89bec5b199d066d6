import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { serverItem } from '../../../src/extension/views/serverItem.ts';
import type { RawServerOptions } from '../../support/recordingServer.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { becomes, rowOf, serverNamed } from '../support/shownRows.ts';

const support = join(import.meta.dirname, '..', '..', 'support');

/** What the row says of a server that did what this tool of `faultyServer.ts` does. */
const told: Readonly<Record<string, RegExp>> = {
  crash: /^starts again at .+ \(deaths: 1\) · ended with exit code 7: panic: index out of range$/,
  'no-line-end': /^starts again at .+ \(deaths: 1\) · ended with exit code 4$/,
  'flood-roots': /^running .+ · floods with requests for roots · asked \d+×, last /,
  'flood-notifications': /^running .+ · floods with log messages: \d+ left out · asked 1×, last /,
  'flood-progress': /^running .+ · floods with notifications · /,
  'flood-strays': /^running .+ · answers nobody asked for: \d+ · /,
  'flood-rubbish': /^running .+ · lines that are no MCP: \d+ · /,
  'text-around': /^running .+ · lines that are no MCP: 4 · /,
  'text-within': /^running .+ · lines that are no MCP: 1 · /,
  'bad-utf8': /^running .+ · lines that are no MCP: 1 · /,
  'huge-line': /^running .+ · a line of 100 MB was skipped · /,
  'duplicate-id': /^running .+ · answers nobody asked for: 1 · /,
  'unknown-id': /^running .+ · answers nobody asked for: 3 · /,
  'null-id': /^running .+ · lines that are no MCP: 2 · /,
};
/** Odd, but nothing that is wrong with a server. */
const harmless = ['echo', 'slow', 'glued', 'half-lines', 'ask-for-more'];
const well = /^running · 2025-11-25 · asked 1×, last [^·]+$/;

describe('a server that does wrong', () => {
  const person = personForEachTest();

  /** How to run a program of the tests that is a server, with a record of its own. */
  const program = (file: string, options: RawServerOptions = {}) => {
    const record = mkdtempSync(pathBeside('record-'));
    return { command: node, args: [join(support, file), JSON.stringify({ record, ...options })] };
  };

  async function start(name: string): Promise<Server> {
    person().will(name, 'Choose Folders…', ['api'], 'For This Session');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    return serverNamed(name);
  }

  /** The server, started, and one beside it that is well. `watch` sees it before its start. */
  async function besideOneThatIsWell(
    definition: object,
    watch: (server: Server) => unknown = () => {},
  ) {
    await setServers({ faulty: definition, neighbour: program('faultyServer.ts') });
    watch(await serverNamed('faulty'));
    const [neighbour, faulty] = [await start('neighbour'), await start('faulty')];
    await becomes(neighbour, server => server.exposureCount >= 1);
    return { faulty, neighbour };
  }

  async function assertIsWell(server: Server): Promise<void> {
    await server.callTool({ name: 'echo', arguments: {} });
    const [context, description] = rowOf(server);
    assert.equal(context, 'server.running');
    assert.match(description, well);
  }

  for (const [fault, words] of Object.entries(told)) {
    it(`(${fault}) is shown as what it is, and its neighbour as running`, async () => {
      const { faulty, neighbour } = await besideOneThatIsWell(program('faultyServer.ts'));
      await becomes(faulty, server => server.exposureCount >= 1);
      const giveUp = new AbortController();
      const { signal } = giveUp;
      const call = faulty.callTool({ name: fault, arguments: {}, signal }).catch(() => {});
      await becomes(faulty, server => words.test(rowOf(server)[1]));
      await assertIsWell(neighbour);
      giveUp.abort();
      await Promise.all([call, faulty.stop()]);
    });
  }

  it('is not accused of what is merely odd', async () => {
    const { faulty } = await besideOneThatIsWell(program('faultyServer.ts'));
    await becomes(faulty, server => server.exposureCount >= 1);
    for (const name of harmless) {
      await faulty.callTool({ name, arguments: {} });
    }
    await assertIsWell(faulty);
  });

  it('when it answers ids that are null says so in full in its tooltip', async () => {
    const { faulty } = await besideOneThatIsWell(program('faultyServer.ts'));
    await faulty.callTool({ name: 'null-id', arguments: {} });
    const lines = String(serverItem(faulty).tooltip).split('\n');
    assert.ok(lines.includes('lines that are no MCP: 2'), String(lines));
    assert.ok(lines.includes('answers nobody asked for: 1'), String(lines));
  });

  it('already at its start is shown with its last words', async () => {
    const definition = { ...program('rawServer.ts', { dies: 'at-start' }), protocol: 'legacy' };
    const { faulty, neighbour } = await besideOneThatIsWell(definition);
    await becomes(faulty, ({ plan }) => plan.kind === 'waiting');
    assert.match(rowOf(faulty)[1], / · ended with exit code 3: no such option: --fast$/);
    await assertIsWell(neighbour);
  });

  it('by not asking for its roots is shown as that, once it had time to', async () => {
    const definition = program('rawServer.ts', { asks: 'never' });
    const rows = new Set<string>();
    const { faulty, neighbour } = await besideOneThatIsWell(definition, server =>
      server.onDidChange(() => rows.add(rowOf(server)[1])),
    );
    await becomes(faulty, ({ isSilent }) => isSilent);
    assert.deepEqual(
      [...rows].filter(row => row.startsWith('running')),
      ['running · 2025-11-25', 'running · 2025-11-25 · never asked for roots'],
    );
    await assertIsWell(neighbour);
  });

  const isWindows = process.platform === 'win32';
  const endings: readonly (readonly [RawServerOptions, string, boolean])[] = [
    [{ isStubborn: true }, 'ended only when killed', true],
    [{ isDeaf: true }, 'had to be told to terminate', !isWindows],
    [
      { leavesGrandchild: true },
      'processes it left behind, ended too: 1',
      process.platform === 'linux',
    ],
  ];
  for (const [options, words, isPossible] of endings) {
    (isPossible ? it : it.skip)(`with its end is shown: "${words}"`, async () => {
      const { faulty, neighbour } = await besideOneThatIsWell(program('rawServer.ts', options));
      await faulty.stop();
      assert.deepEqual(rowOf(faulty), ['server.stopped', `stopped · ${words}`]);
      await assertIsWell(neighbour);
    });
  }
});
