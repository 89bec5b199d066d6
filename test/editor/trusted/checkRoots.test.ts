import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { findSandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { shownBy } from '../support/shownDocument.ts';
import { unhurried } from '../support/unhurried.ts';

describe('a check of what a server does with roots', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('asks first, says what would be started, and starts nothing without a yes', async () => {
    const recorder = new Recorder('unchecked');
    await recorder.define({}, '--mark-of-this-test');
    person().will('unchecked');
    await run('checkRootsSupport');
    const { detail } = await person().sees(/^Find out what "unchecked" does with its folders\?$/);
    assert.match(detail, /rawServer\.ts .*--mark-of-this-test\n/);
    assert.match(detail, /only of throw-away folders/);
    assert.deepEqual(recorder.pids, []);
  });

  it('shows what it found, tells of no folder of the user’s, and leaves nothing', async () => {
    const recorder = new Recorder('checked');
    await recorder.define();
    const before = await exportedActivity();
    person().will('checked', 'Check');
    const document = await shownBy(() => unhurried(() => run('checkRootsSupport')));
    assert.equal(document.uri.scheme, 'mcp-roots-result');
    // Markdown is wrapped at the width of the editor: the verdict is one long line.
    assert.equal(document.languageId, 'markdown');
    assert.match(
      document.getText(),
      /^# Roots Support of checked\n\nchecked asks for its roots at its start and again after each change\. .*\n\n## What Was Seen\n\n- It speaks/,
    );
    const uris = recorder.messages
      .flatMap(({ result }) => result?.roots ?? [])
      .map(({ uri }) => uri);
    assert.equal(uris.length, 2);
    assert.deepEqual(
      uris.filter(uri => existsSync(vscode.Uri.parse(uri).fsPath)),
      [],
    );
    assert.ok(!recorder.bytes.includes(uriOf('api').path), recorder.bytes);
    assert.equal(recorder.pids.length, 2);
    await recorder.ended();
    const after = await exportedActivity();
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.slice(before.length).map(({ time: _, ...entry }) => entry),
      [
        {
          serverId: 'setting:checked',
          serverLabel: 'checked',
          kind: 'checked',
          result: {
            template: '{0} asks for its roots at its start and again after each change.',
            values: ['checked'],
          },
        },
      ],
    );
  });

  it('says where real use differs, and shows names as they are', async () => {
    const own = new OwnServer('as *arguments*');
    await own.defineAs({ rootsAs: 'args', args: ['--dir=${roots}'] });
    person().will(own.name, 'Check');
    const document = await shownBy(() => unhurried(() => run('checkRootsSupport')));
    const text = document.getText();
    assert.match(text, /^# Roots Support of as \\\*arguments\\\*\n\nas \\\*arguments\\\* asks/);
    assert.match(
      text,
      /\n\nThis check offered roots\. In real use as \\\*arguments\\\* is not offered any: .* It gets its folders as arguments instead\.\n\n##/,
    );
    await own.ended();
  });

  it('says why a server could not be checked', async () => {
    const recorder = new Recorder('dying-early');
    await recorder.define({ dies: 'at-start' });
    person().will('dying-early', 'Check');
    await run('checkRootsSupport');
    await person().sees(/^"dying-early" ended with exit code 3: no such option: --fast$/);
    await recorder.ended();
  });

  it('shows beside each other what was seen in a sandbox and without', async function () {
    const { tool } = await findSandboxTool();
    if (!tool) {
      this.skip();
    }
    const recorder = new Recorder('both-ways');
    await recorder.define();
    person().will('both-ways', 'Check Both Ways');
    const document = await shownBy(() => unhurried(() => run('checkRootsSupport')));
    // It writes down what it is sent, and there is no folder for that in its sandbox.
    assert.match(
      document.getText(),
      /\n\n## What Was Seen in the Sandbox\n\n\\"both-ways\\" ended with exit code 1.*\n\n- It asked for nothing in vain.*\n\n## What Was Seen Without the Sandbox\n\nboth-ways asks for its roots at its start/,
    );
    await recorder.ended();
  });

  it('can be given up, which ends what it started and shows nothing', async () => {
    const recorder = new Recorder('given-up');
    await recorder.define({ isMute: true, leavesGrandchild: true });
    const editor = vscode.window.activeTextEditor;
    const { withProgress } = vscode.window;
    const cancellation = new vscode.CancellationTokenSource();
    Object.assign(vscode.window, {
      withProgress: (_: unknown, task: (...args: unknown[]) => unknown) =>
        task({ report: () => {} }, cancellation.token),
    });
    person().will('given-up', 'Check');
    const checking = run('checkRootsSupport');
    await recorder.until(({ pids }) => pids.length >= 1);
    cancellation.cancel();
    await checking;
    Object.assign(vscode.window, { withProgress });
    assert.equal(vscode.window.activeTextEditor, editor);
    await recorder.ended();
  });
});
