import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { RawServerOptions } from '../../support/recordingServer.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { becomes, detailsOf, rowOf, serverNamed } from '../support/shownRows.ts';

const support = join(import.meta.dirname, '..', '..', 'support');

/** What its tooltip says of a server that did what this tool of `faultyServer.ts` does. */
const told: Readonly<Record<string, RegExp>> = {
  crash: /: ended with exit code 7: panic: index out of range\nStarts again at .+ \(deaths: 1\)$/m,
  'no-line-end': /: ended with exit code 4\nStarts again at .+ \(deaths: 1\)$/m,
};
/** How a line begins that says how a server had to be ended. */
const forced = /^(?:It had to|It ended|Processes it)/;

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
    assert.deepEqual(rowOf(server), ['server.running', 'running']);
    assert.ok(detailsOf(server).includes('Asked for its roots: 1 ×'));
  }

  for (const [wrong, words] of Object.entries(told)) {
    it(`(${wrong}) is shown as what it is, and its neighbour as running`, async () => {
      const { faulty, neighbour } = await besideOneThatIsWell(program('faultyServer.ts'));
      await becomes(faulty, server => server.exposureCount >= 1);
      const giveUp = new AbortController();
      const { signal } = giveUp;
      const call = faulty.callTool({ name: wrong, arguments: {}, signal }).catch(() => {});
      await becomes(faulty, server => words.test(detailsOf(server).join('\n')));
      await assertIsWell(neighbour);
      giveUp.abort();
      await Promise.all([call, faulty.stop()]);
    });
  }

  it('by not asking for its roots is shown as that, once it had time to', async () => {
    const definition = program('rawServer.ts', { asks: 'never' });
    const told = new Set<string | undefined>();
    const { faulty, neighbour } = await besideOneThatIsWell(definition, server =>
      server.onDidChange(() => told.add(detailsOf(server).find(line => / asked for/.test(line)))),
    );
    await becomes(faulty, ({ isSilent }) => isSilent);
    told.delete(undefined);
    assert.deepEqual(
      [...told],
      [
        'It has not asked for its roots yet',
        'It has never asked for its roots, though it had time to',
      ],
    );
    await assertIsWell(neighbour);
  });

  const isWindows = process.platform === 'win32';
  const endings: readonly (readonly [RawServerOptions, string, boolean])[] = [
    [{ isStubborn: true }, 'It ended only when killed', true],
    [{ isDeaf: true }, 'It had to be told to terminate', !isWindows],
    [
      { leavesGrandchild: true },
      'Processes it left behind, ended too: 1',
      process.platform === 'linux',
    ],
  ];
  for (const [options, words, isPossible] of endings) {
    (isPossible ? it : it.skip)(`with its end is shown: "${words}"`, async () => {
      const { faulty, neighbour } = await besideOneThatIsWell(program('rawServer.ts', options));
      await faulty.stop();
      assert.deepEqual(rowOf(faulty), ['server.stopped', 'stopped']);
      assert.deepEqual(endingOf(faulty), [words]);
      await assertIsWell(neighbour);
    });
  }
});

/** What the tooltip of a server says of its end. */
function endingOf(server: Server): readonly string[] {
  return detailsOf(server).filter(line => forced.test(line));
}
