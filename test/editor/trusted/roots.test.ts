import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addFolders, renameFolder, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { becomes, serverNamed, startTold } from '../support/shownRows.ts';

describe('a server of the user', () => {
  const person = personForEachTest();

  it('learns of exactly the allowed folders, as file: URIs', async () => {
    const recorder = await new Recorder('exact').define();
    await startTold(person(), recorder, 'api');
    assert.deepEqual(
      recorder.messages.flatMap(({ result }) => result?.roots ?? []),
      [{ uri: uriOf('api').toString(), name: 'api' }],
    );
    assert.ok(!recorder.bytes.includes(uriOf('web').path), 'a denied folder was on the wire');
  });

  it('learns of an added folder only after the answer', async () => {
    const recorder = await new Recorder('added').define();
    await startTold(person(), recorder, 'api');
    person().will('Allow', 'Until the Window Closes');
    const question = person().sees(/added "docs"/);
    await addFolders('docs');
    await question;
    assert.deepEqual(recorder.answers, [['api']]);
    assert.ok(!recorder.bytes.includes('docs'), 'an undecided folder was on the wire');
    await recorder.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(recorder.answers, [['api'], ['api', 'docs']]);
    assert.equal(recorder.notices, 1);
  });

  it('never learns of an added folder when its question is dismissed', async () => {
    const recorder = await new Recorder('dismissed').define();
    await startTold(person(), recorder, 'api', 'web');
    await addFolders('secret');
    await person().sees(/added "secret"/);
    await renameFolder('web', 'site');
    await recorder.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(recorder.answers, [
      ['api', 'web'],
      ['api', 'site'],
    ]);
    assert.ok(!recorder.bytes.includes('secret'), 'an undecided folder was on the wire');
    await renameFolder('site', 'web');
  });

  it('is not started when the question is dismissed', async () => {
    const recorder = await new Recorder('not-now').define();
    person().will(recorder.name);
    await vscode.commands.executeCommand('mcpRoots.startServer');
    assert.match((await person().sees(/Allow "not-now"/)).text, /"api", "web"/);
    assert.equal(recorder.bytes, '');
  });

  it('is not started when the question on further folders is dismissed', async () => {
    const recorder = await new Recorder('some').define();
    await startTold(person(), recorder, 'api', 'web');
    await vscode.commands.executeCommand('mcpRoots.stopServer');
    await recorder.ended();
    await addFolders('docs');
    const before = recorder.bytes;
    person().will(recorder.name);
    await vscode.commands.executeCommand('mcpRoots.startServer');
    assert.match(person().seen.at(-1)?.text ?? '', /^Allow "some" to see "docs"\?$/);
    assert.equal(recorder.bytes, before);
  });

  it('shows distinct folders, its working directory and environment in the question', async () => {
    await addFolders('other/api');
    const cwd = uriOf('web').fsPath;
    const env = { LEVEL: 'high', API_TOKEN: 'hunter2' };
    await setServers({ apart: { command: 'no-such-program', cwd, env } });
    person().will('apart');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const { text, detail } = await person().sees(/^Allow "apart"/);
    assert.match(text, /see "api \(.+", "web", "api \(other\)"\?$/);
    assert.match(
      detail,
      /\n• api — .*[\\/]api\n• web — .*[\\/]web\n• api — .*[\\/]other[\\/]api\n/,
    );
    assert.ok(detail.endsWith(`\nWorking directory: ${cwd}`), detail);
    assert.ok(detail.includes('\nEnvironment: LEVEL=high API_TOKEN=…[7]\n'), detail);
    assert.ok(detail.includes('Roots are guidance, not a sandbox.'), detail);
  });

  it('gets no roots when it starts after a refusal, and stops when it is revoked', async () => {
    const recorder = await new Recorder('refused').define();
    person().will(recorder.name, "Don't Allow", 'Until the Window Closes');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    await person().sees(/was not started, because it may see no folder/);
    assert.equal(recorder.bytes, '');
    person().will(recorder.name, 'Start');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const { detail } = await person().sees(/^Start "refused"\?$/);
    assert.match(detail, /^The settings of this workspace .*\n\nNo folder is shared\./s);
    await recorder.until(({ messages }) =>
      messages.some(({ method }) => method === 'notifications/initialized'),
    );
    const hello = recorder.messages.find(({ method }) => method === 'initialize');
    assert.deepEqual(hello?.params?.capabilities, { elicitation: { form: {}, url: {} } });
    assert.deepEqual(recorder.answers, []);
    const server = await serverNamed(recorder.name);
    person().will('Revoke');
    await vscode.commands.executeCommand('mcpRoots.revokeAllOf', { kind: 'server', server });
    await becomes(server, ({ state }) => state.kind === 'stopped');
  });
});
