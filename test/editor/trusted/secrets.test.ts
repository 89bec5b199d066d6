import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { detailsOf, seenWhen, serverNamed } from '../support/shownRows.ts';
import { filesWith } from '../support/writtenFiles.ts';

const definition = { env: { SERVER_TOKEN: '${input:token}' } };

describe('a secret of a server', () => {
  const person = personForEachTest();
  unsetAfterEachTest('inputs', 'trace');
  const replace = replacing();
  const boxes: vscode.InputBoxOptions[] = [];
  let token: string;

  beforeEach(async () => {
    token = `s3cret/${randomUUID()}`;
    boxes.length = 0;
    const enter = async (options: vscode.InputBoxOptions) => {
      boxes.push(options);
      return token;
    };
    replace(vscode.window, { showInputBox: enter });
    const description = 'The token of this test';
    await set('inputs', [{ id: 'token', type: 'promptString', description }]);
  });

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  async function start(own: Recorder, ...answers: (string | string[])[]) {
    const count = own.answers.length;
    person().will(own.name, ...answers);
    await run('startServer');
    await own.until(({ answers }) => answers.length > count);
    return serverNamed(own.name);
  }
  const allow = ['Choose Folders…', ['api'], 'Until the Window Closes'];

  it('is asked for once, and again after it was forgotten', async () => {
    const own = await new Recorder('asking').define(definition);
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
    await person().sees(/^The secrets of "asking" are deleted/);
    await run('restartServer');
    assert.equal(boxes.length, 2);
    await own.until(({ answers }) => answers.length >= 4);
  });

  it('appears in no file, row or message, even when traced and repeated by the server', async () => {
    await set('trace', true);
    const own = await new Recorder('telling').define({ ...definition, autoStart: false });
    const server = await start(own, ...allow);
    const hang = server.requests.callTool({ name: 'hang', arguments: {} });
    await assert.rejects(hang, /the token ••• is refused/);
    const dead = seenWhen(server, ({ plan }) => plan.kind === 'waiting', detailsOf);
    const fatal = server.requests.callTool({ name: 'fatal', arguments: {} });
    await assert.rejects(fatal, error => !String(error).includes(token));
    assert.match(String((await dead)[0]), / code 9: no use for the token •••$/);
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
