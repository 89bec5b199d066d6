import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectClient } from '../support/connectedClient.ts';
import { addFolders, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { becomes, rowOf, serverNamed, startTold, startWith } from '../support/shownRows.ts';

describe('the menu behind the status bar', () => {
  const person = personForEachTest();
  const title = /^Status of MCP Roots$/;
  const show = () => vscode.commands.executeCommand('mcpRoots.showStatus');
  /** The entries of the list when it was last shown. */
  const listed = () =>
    person()
      .seen.filter(({ text }) => title.test(text))
      .at(-1)
      ?.detail.split('\n');
  const places = [
    'Show',
    '$(server-process) Servers',
    '$(table) Access',
    '$(history) Activity',
    '$(question) Help',
  ];

  it('lists waiting folders, and asks about a picked one', async () => {
    const own = await new Recorder('waiting').define();
    const server = await startTold(person(), own, 'api');
    await addFolders('docs');
    await person().sees(/the added "docs"/);
    await becomes(server, ({ access }) => access.waiting.length > 0);
    assert.equal(rowOf(server)[1], 'waiting');
    const question = '$(question) Allow "waiting" to see "docs"?';
    person().will(question, 'Allow', 'Until the Window Closes');
    await show();
    assert.deepEqual(listed(), ['Waiting for your answer', question, ...places]);
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers.at(-1), ['api', 'docs']);
    await show();
    assert.deepEqual(listed(), places);
  });

  it('lists changed servers that wait for an answer, and starts a picked one', async () => {
    const own = await new Recorder('changed').define();
    await startWith(person(), own.name, 'api');
    await own.define({ args: ['--verbose'] });
    await own.ended();
    await person().sees(/^Servers changed since you agreed to them/);
    // While the user types, a definition may be invalid.
    await setServers({ changed: { command: 5 } });
    await assert.rejects(serverNamed(own.name));
    await own.define({ args: ['--verbose'] });
    await serverNamed(own.name);
    const question = '$(question) Start "changed" as it is now?';
    person().will(question, 'Allow', 'Until the Window Closes');
    await show();
    assert.deepEqual(listed(), ['Waiting for your answer', question, ...places]);
    await becomes(await serverNamed(own.name), ({ state }) => state.kind === 'running');
  });

  for (const answer of ['Allow', "Don't Allow"]) {
    it(`lists servers that a client wants, and asks about their start: ${answer}`, async () => {
      const own = await new Recorder('wanted').define();
      await show();
      assert.deepEqual(listed(), places);
      const early = connectClient('early', own.name, uriOf('api').fsPath);
      await assert.rejects(early, /"wanted" needs your answer\. Start the server/);
      const question = '$(question) Start "wanted"? A client wanted to use it.';
      person().will(question, answer, 'Until the Window Closes');
      await show();
      assert.deepEqual(listed(), ['Waiting for your answer', question, ...places]);
      const server = await serverNamed(own.name);
      await becomes(server, ({ state, access }) =>
        answer === 'Allow' ? state.kind === 'running' : access.waiting.length === 0,
      );
      await show();
      assert.deepEqual(listed(), places);
    });
  }

  it('lists servers that failed', async () => {
    await setServers({ absent: { command: 'no-such-program' } });
    person().will('absent', 'Allow', 'Until the Window Closes');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    await becomes(await serverNamed('absent'), ({ state }) => state.kind === 'failed');
    await show();
    assert.deepEqual(listed(), ['Needs attention', '$(error) absent', ...places]);
  });
});
