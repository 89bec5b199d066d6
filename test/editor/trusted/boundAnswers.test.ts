import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import { launchSubject } from '../../../src/domain/consent/launchConsent.ts';
import type { CandidateFolders } from '../../../src/extension/folders/candidateFolders.ts';
import type { RecordKind } from '../../../src/extension/records/serverRecords.ts';
import { AccessSource } from '../../../src/extension/servers/accessSource.ts';
import { stdioLaunch } from '../../support/launches.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { serverNamed, startTold, startWith } from '../support/shownRows.ts';

const changed = /^Servers changed since you agreed to them/;
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

  it('does not hold for other values, hidden or shown', async () => {
    const own = await new Recorder('literal').define({
      args: ['--api-key', 'hunter2'],
      env: { API_TOKEN: 'hunter2', AUTH_SERVER: 'https://good.example.com/' },
    });
    await startTold(person(), own, 'api');
    const { bytes } = own;
    await own.define({
      args: ['--api-key', 'hunter3'],
      env: { API_TOKEN: 'hunter3', AUTH_SERVER: 'https://evil.example.com/' },
    });
    const detail = await asksAnew(own, bytes, 1);
    assert.match(detail, /\nargs\[\d\]: the hidden value changed\n/);
    assert.match(detail, /\nenv\.API_TOKEN: the hidden value changed\n/);
    assert.match(detail, /AUTH_SERVER=https:\/\/good\.\S+ → .*AUTH_SERVER=https:\/\/evil\./);
  });

  it('holds again for a restored definition, and the server starts automatically', async () => {
    const own = await new Recorder('back').define({ args: ['one'] });
    await startTold(person(), own, 'api');
    await own.define({ args: ['two'] });
    await own.ended();
    await person().sees(changed);
    await own.define({ args: ['one'] });
    await own.until(({ pids }) => pids.length === 2);
  });

  it('does not hold for other contents of the environment file, however the server starts', async () => {
    const file = pathBeside('bound.env');
    writeFileSync(file, 'MODE=good\n');
    const own = await new Recorder('filed').define({ envFile: file });
    const server = await startTold(person(), own, 'api');
    const { bytes } = own;
    writeFileSync(file, 'MODE=evil\n');
    assert.equal(server.state.kind, 'running');
    await server.stop();
    await server.start('by-itself');
    assert.match(await asksAnew(own, bytes, 1), /\nenvFile contents: the hidden value changed\n/);
    writeFileSync(file, 'MODE=good\n');
    person().will(own.name);
    await run('restartServer');
    await own.until(({ pids }) => pids.length >= 3);
  });

  it('on a server of the user does not hold for a workspace server that replaces it', async () => {
    const user = (servers: Record<string, unknown> | undefined) =>
      vscode.workspace
        .getConfiguration('mcpRoots')
        .update('servers', servers, vscode.ConfigurationTarget.Global);
    const own = await new Recorder('taken').define({ env: { API_TOKEN: 'hunter2' } });
    const definition = vscode.workspace.getConfiguration('mcpRoots').get('servers');
    try {
      await user(definition as Record<string, unknown>);
      await setServers(undefined);
      await startTold(person(), own, 'api');
      const { bytes } = own;
      await own.define({ env: { API_TOKEN: 'hunter3' } });
      const detail = await asksAnew(own, bytes, 1);
      assert.match(detail, /\norigin: user → workspace /);
    } finally {
      await user(undefined);
    }
  });

  it('for always holds for this workspace only, if the start may run a file of it', async () => {
    const own = await new Recorder('own').define();
    person().will(own.name, 'Choose Folders…', ['api'], 'Always');
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 1);
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
