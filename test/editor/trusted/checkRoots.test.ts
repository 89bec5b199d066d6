import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { findSandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
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
    assert.match(detail, /rawServer\.ts .*--mark-of-this-test(\n|$)/);
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
    assert.equal(document.languageId, 'markdown');
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, false);
    assert.match(
      document.getText(),
      /^# Roots Support of checked\n\n\| Fact \| Seen \|.*\n(\| --- )+\|\n(\| .* \|\n)+\nThis is what happened/,
    );
    assert.match(document.getText(), /^\| Asked for its roots \| at its start \|/m);
    const uris = recorder.messages
      .flatMap(({ result }) => result?.roots ?? [])
      .map(({ uri }) => uri);
    assert.equal(uris.length, 2);
    assert.deepEqual(
      uris.filter(uri => existsSync(vscode.Uri.parse(uri).fsPath)),
      [],
    );
    assert.ok(!recorder.bytes.includes(uriOf('api').path), recorder.bytes);
    assert.equal(recorder.pids.length, 1);
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
            template: 'Asked for its roots: {0}.',
            values: [{ template: 'at its start', values: [] }],
          },
        },
      ],
    );
  });

  it('shows names as they are', async () => {
    const own = new OwnServer('as *arguments*');
    await own.defineAs({ rootsAs: 'args', args: ['--dir=${roots}'] });
    person().will(own.name, 'Check');
    const document = await shownBy(() => unhurried(() => run('checkRootsSupport')));
    assert.match(document.getText(), /^# Roots Support of as \\\*arguments\\\*\n/);
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

  it('starts a server that has a sandbox in that', async function () {
    const { tool } = await findSandboxTool();
    if (!tool) {
      this.skip();
    }
    const script = `fs.readdirSync(${JSON.stringify(uriOf('api').fsPath)}); process.exit(4);`;
    await setServers({ kept: { command: node, args: ['-e', script], sandbox: 'on' } });
    person().will('kept', 'Check');
    await run('checkRootsSupport');
    // That folder is not in its sandbox.
    await person().sees(/^"kept" ended with exit code 1/);
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
