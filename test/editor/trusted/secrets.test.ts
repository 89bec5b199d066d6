import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { detailsOf, seenWhen, serverNamed } from '../support/shownRows.ts';
import { filesWith } from '../support/writtenFiles.ts';

const definition = { env: { SERVER_TOKEN: '${input:token}' } };

describe('a secret of a server', () => {
  const person = personForEachTest();
  unsetAfterEachTest('inputs', 'trace');
  const { showInputBox } = vscode.window;
  const boxes: vscode.InputBoxOptions[] = [];
  let token: string;

  beforeEach(async () => {
    token = `s3cret/${randomUUID()}`;
    boxes.length = 0;
    const enter = async (options: vscode.InputBoxOptions) => {
      boxes.push(options);
      return token;
    };
    Object.assign(vscode.window, { showInputBox: enter });
    const description = 'The token of this test';
    await set('inputs', [{ id: 'token', type: 'promptString', description }]);
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInputBox });
  });

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  async function start(own: OwnServer, ...answers: (string | string[])[]) {
    const count = own.answers.length;
    person().will(own.name, ...answers);
    await run('startServer');
    await own.until(({ answers }) => answers.length > count);
    return serverNamed(own.name);
  }
  const allow = ['Choose Folders…', ['api'], 'Until the Window Closes'];

  it('is asked for once, and again when it was forgotten', async () => {
    const own = new OwnServer('asking');
    await own.defineAs(definition);
    await start(own, ...allow);
    const box = { title: '"asking" needs "token"', prompt: 'The token of this test' };
    assert.deepEqual(boxes, [{ ...box, password: true, ignoreFocusOut: true }]);
    await run('restartServer');
    await own.until(({ answers }) => answers.length >= 2);
    await run('stopServer');
    await start(own);
    assert.equal(boxes.length, 1);
    person().will(own.name);
    await run('forgetSecrets');
    await person().sees(/^The secrets of "asking" are forgotten/);
    await run('restartServer');
    assert.equal(boxes.length, 2);
    await own.until(({ answers }) => answers.length >= 4);
  });

  it('is not handed to a server that was changed', async () => {
    const own = new OwnServer('changed');
    await own.defineAs(definition);
    await start(own, ...allow);
    await own.defineAs({ ...definition, args: ['--verbose'] });
    await own.ended();
    await start(own, ...allow);
    assert.equal(boxes.length, 2);
  });

  it('is in no file, row or message, though all is traced and the server repeats it', async () => {
    await set('trace', true);
    const own = new OwnServer('telling');
    await own.defineAs({ ...definition, autoStart: false });
    const server = await start(own, ...allow);
    const hang = server.callTool({ name: 'hang', arguments: {} });
    await assert.rejects(hang, /the token ••• is refused/);
    const dead = seenWhen(server, ({ plan }) => plan.kind === 'waiting', detailsOf);
    const fatal = server.callTool({ name: 'fatal', arguments: {} });
    await assert.rejects(fatal, error => !String(error).includes(token));
    assert.match(String((await dead)[0]), /: ended with exit code 9: no use for the token •••$/);
    await run('stopServer');
    for (const told of ['my token is •••', '{"with":"•••"}', 'no use for the token •••']) {
      await eventually(() => assert.match(filesWith(told).join(), /telling\.log/));
    }
    await eventually(() => assert.match(filesWith('"telling"').join(), /activityLog\.jsonl/));
    await eventually(() => assert.match(filesWith('${input:token}').join(), /\.code-workspace/));
    assert.deepEqual(filesWith(token, encodeURIComponent(token)), []);
    assert.ok(!JSON.stringify(person().seen).includes(token));
  });
});
