import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { pathBeside } from '../support/folders.ts';
import { type MoreOfDefinition, OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { type Recorder, setServers } from '../support/recorder.ts';
import { startWith } from '../support/shownRows.ts';

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

  const changes: Readonly<Record<string, readonly [MoreOfDefinition, MoreOfDefinition, RegExp]>> = {
    'a hidden argument': [
      { args: ['--api-key', 'hunter2'] },
      { args: ['--api-key', 'hunter3'] },
      /\nargs\[\d\]: another hidden value\n/,
    ],
    'a hidden variable': [
      { env: { API_TOKEN: 'hunter2' } },
      { env: { API_TOKEN: 'hunter3' } },
      /\nenv\.API_TOKEN: another hidden value\n/,
    ],
    'what only resembles a secret': [
      { env: { PYTHON_KEYRING_BACKEND: 'good' }, args: ['--init-private', 'good-pkg'] },
      { env: { PYTHON_KEYRING_BACKEND: 'evil' }, args: ['--init-private', 'evil-pkg'] },
      /\nenv: PYTHON_KEYRING_BACKEND=good → PYTHON_KEYRING_BACKEND=evil\n/,
    ],
    'where to sign in': [
      { env: { AUTH_SERVER: 'https://good.example.com/' } },
      { env: { AUTH_SERVER: 'https://evil.example.com/' } },
      /\nenv: AUTH_SERVER=https:\/\/good\.\S+ → AUTH_SERVER=https:\/\/evil\./,
    ],
  };
  for (const [what, [before, after, shown]] of Object.entries(changes)) {
    it(`does not hold for another one in the place of ${what}`, async () => {
      const own = new OwnServer('literal');
      await own.defineAs(before);
      await startWith(person(), own.name, 'api');
      await own.until(({ answers }) => answers.length >= 1);
      const { bytes } = own;
      await own.defineAs(after);
      assert.match(await asksAnew(own, bytes, 1), shown);
    });
  }

  it('does not hold for other contents of its environment file, whoever starts it', async () => {
    const file = pathBeside('bound.env');
    writeFileSync(file, 'MODE=good\n');
    const own = new OwnServer('filed');
    await own.defineAs({ envFile: file });
    const server = await startWith(person(), own.name, 'api');
    await own.until(({ answers }) => answers.length >= 1);
    const { bytes } = own;
    writeFileSync(file, 'MODE=evil\n');
    assert.equal(server.state.kind, 'running');
    await server.restart('by-itself');
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
      await startWith(person(), own.name, 'api');
      await own.until(({ answers }) => answers.length >= 1);
      const { bytes } = own;
      await own.defineAs({ env: { API_TOKEN: 'hunter3' } });
      const detail = await asksAnew(own, bytes, 1);
      assert.match(detail, /\norigin: user → workspace /);
      assert.match(detail, /\nThe settings of this workspace start it with: /);
    } finally {
      await user(undefined);
    }
  });

  it('is found again when the server is what it was', async () => {
    const own = new OwnServer('back');
    await own.defineAs({ env: { API_TOKEN: 'hunter2' } });
    await startWith(person(), own.name, 'api');
    await own.until(({ answers }) => answers.length >= 1);
    await own.defineAs({ env: { API_TOKEN: 'hunter3' } });
    await own.ended();
    await own.defineAs({ env: { API_TOKEN: 'hunter2' } });
    person().forget();
    person().will(own.name);
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 2);
    assert.equal(person().seen.filter(({ text }) => / to see /.test(text)).length, 1);
  });
});
