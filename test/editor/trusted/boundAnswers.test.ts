import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import { launchSubject } from '../../../src/domain/consent/launchConsent.ts';
import type { SandboxTerms } from '../../../src/domain/sandbox/sandboxTerms.ts';
import { startDetail } from '../../../src/extension/consent/startQuestion.ts';
import type { CandidateFolders } from '../../../src/extension/folders/candidateFolders.ts';
import { AccessSource } from '../../../src/extension/servers/accessSource.ts';
import type { RecordKind } from '../../../src/extension/servers/serverRecords.ts';
import { fieldsOf, stdioLaunch } from '../../support/launches.ts';
import { shownServer } from '../../support/shownServer.ts';
import { pathBeside } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { type Recorder, setServers } from '../support/recorder.ts';
import { serverNamed, startTold, startWith } from '../support/shownRows.ts';

const changed = /^Changed since you agreed to it, and not started until you answer: /;
const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

describe('an answer on a server', () => {
  const person = personForEachTest();

  /** Sees that the server was stopped and asks, and allows it as it is now; answers what it was asked. */
  async function asksAnew(own: Recorder, before: string, count: number): Promise<string> {
    await own.ended();
    await person().sees(changed);
    assert.equal(own.bytes, before);
    assert.equal(own.pids.length, count);
    person().forget();
    person().seen.length = 0;
    await startWith(person(), own.name, 'api');
    await own.until(({ answers }) => answers.length > count);
    return (await person().sees(/^Allow /)).detail;
  }

  it('does not hold for other values, be they hidden or shown', async () => {
    const own = new OwnServer('literal');
    await own.defineAs({
      args: ['--api-key', 'hunter2'],
      env: { API_TOKEN: 'hunter2', AUTH_SERVER: 'https://good.example.com/' },
    });
    await startTold(person(), own, 'api');
    const { bytes } = own;
    await own.defineAs({
      args: ['--api-key', 'hunter3'],
      env: { API_TOKEN: 'hunter3', AUTH_SERVER: 'https://evil.example.com/' },
    });
    const detail = await asksAnew(own, bytes, 1);
    assert.match(detail, /\nargs\[\d\]: another hidden value\n/);
    assert.match(detail, /\nenv\.API_TOKEN: another hidden value\n/);
    assert.match(detail, /AUTH_SERVER=https:\/\/good\.\S+ → .*AUTH_SERVER=https:\/\/evil\./);
  });

  it('does not hold for other contents of its environment file, whoever starts it', async () => {
    const file = pathBeside('bound.env');
    writeFileSync(file, 'MODE=good\n');
    const own = new OwnServer('filed');
    await own.defineAs({ envFile: file });
    const server = await startTold(person(), own, 'api');
    const { bytes } = own;
    writeFileSync(file, 'MODE=evil\n');
    assert.equal(server.state.kind, 'running');
    await server.stop();
    await server.start('by-itself');
    assert.match(await asksAnew(own, bytes, 1), /\nenvFile contents: another hidden value\n/);
    writeFileSync(file, 'MODE=good\n');
    person().will(own.name);
    await run('restartServer');
    await own.until(({ pids }) => pids.length >= 3);
  });

  it('on a server of the user does not hold for one of the workspace that takes its place', async () => {
    const user = (servers: Record<string, unknown> | undefined) =>
      vscode.workspace
        .getConfiguration('mcpRoots')
        .update('servers', servers, vscode.ConfigurationTarget.Global);
    const own = new OwnServer('taken');
    await own.defineAs({ env: { API_TOKEN: 'hunter2' } });
    const definition = vscode.workspace.getConfiguration('mcpRoots').get('servers');
    try {
      await user(definition as Record<string, unknown>);
      await setServers(undefined);
      await startTold(person(), own, 'api');
      const { bytes } = own;
      await own.defineAs({ env: { API_TOKEN: 'hunter3' } });
      const detail = await asksAnew(own, bytes, 1);
      assert.match(detail, /\norigin: user → workspace /);
      assert.match(detail, /^The settings of this workspace start it with: /);
    } finally {
      await user(undefined);
    }
  });

  it('is asked for with what can be reached from a sandbox', () => {
    const { definition } = shownServer();
    const placed = { ...definition, launch: stdioLaunch({ cwd: '/opt' }) };
    const detail = (
      terms: Partial<SandboxTerms>,
      rest = '',
      needs: readonly string[] = [],
      of: typeof definition = placed,
    ) => {
      const sandbox = { read: [], write: [], network: true, ...terms };
      const fields = fieldsOf(of.launch, { sandbox });
      return startDetail({ definition: { ...of, sandbox }, fields }, undefined, rest, needs);
    };
    const longerThanHome = `/${'long/'.repeat(20)}enough`;
    assert.match(
      detail({ write: [longerThanHome, '/', homedir()], read: ['/a b'], network: false }),
      /\n\nThe system keeps it .*, without a network\.\nIt can also change: EVERY FILE of this machine \(\/\), ALL OF YOUR HOME \(.*\), \/long\/.*\nIt can also read: "\/a b"\n/,
    );
    const launch = stdioLaunch({ command: 'npx', args: ['-y', 'files'], cwd: '/opt' });
    assert.match(
      detail({ network: false }, '', [], { ...definition, launch }),
      /without a network\.\nIt is fetched first, with the network and without a folder\.\n/,
    );
    assert.doesNotMatch(detail({}, '', [], { ...definition, launch }), /fetched first/);
    assert.match(
      detail({}),
      /\n\nThe system keeps it .* The network is open\.\n\nWorking directory: \/opt$/,
    );
    assert.match(
      detail({}, '', [`${homedir()}/server`, '/opt/node']),
      /is open\.\nTo run, it reads: \/opt\/node, ~\/server\n\nWorking directory: \/opt$/,
    );
    const many = Array.from({ length: 60 }, (_, index) => `/${'folder/'.repeat(9)}${index}`);
    assert.match(
      detail({ read: many, write: many }),
      /\nIt can also change: .* and 57 more\nIt can also read: .* and 57 more\n/,
    );
  });

  it('for always holds for its start in this workspace, where that may run a file of it', async () => {
    const own = new OwnServer('own');
    await own.defineAs();
    person().will(own.name, 'Choose Folders…', ['api'], 'Always');
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 1);
    const { detail } = await person().sees(/^Allow "own" to see/);
    assert.match(detail, /\nIt may run files of this workspace\.\n/);
    const { definition, identity, fields, isLaunchAllowed } = await serverNamed(own.name);
    assert.equal(isLaunchAllowed, true);
    const start = { folder: launchSubject, decision: 'allowed', scope: 'always', at: 1 } as const;
    const grant = { kind: 'grant', serverId: definition.id, identity, fields, ...start } as const;
    const { event: onDidChange } = new vscode.EventEmitter<void>();
    const source = new AccessSource(
      { onDidChange } as Partial<CandidateFolders> as CandidateFolders,
      { of: () => [grant] as never, onDidChange: new Emitter<RecordKind>().event },
    );
    const isAllowed = (cwd: string | undefined) =>
      source.isLaunchAllowed({ ...definition, launch: stdioLaunch({ cwd }) }, identity);
    assert.deepEqual([undefined, '/opt'].map(isAllowed), [false, true]);
    source.dispose();
  });
});
