import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { AccessTab } from '../support/accessTab.ts';
import { folderNames } from '../support/folders.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';

describe('a window in Restricted Mode', () => {
  const person = personForEachTest();
  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('starts nothing, exposes nothing, and says why', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    assert.deepEqual(folderNames(), ['api', 'web']);
    const recorder = new Recorder('untrusted');
    await recorder.define();
    await run('startServer');
    await run('reviewAccess');
    const [start, review, ...others] = person().seen.map(({ text }) => text);
    assert.match(start ?? '', /^In Restricted Mode no server starts and no folder is exposed/);
    assert.deepEqual([review, ...others], [start]);
    assert.deepEqual(recorder.pids, []);
    assert.equal(isClientLoaded(), false);
  });

  const unread = 'because its settings are ignored. Trust this workspace first.';
  for (const [command = '', refusal] of [
    ['addServer', `no server can be added, ${unread}`],
    ['importServers', `no server can be added, ${unread}`],
  ]) {
    it(`refuses ${command} with the reason, and asks nothing`, async () => {
      await run(command);
      assert.deepEqual(
        person().seen.map(({ text }) => text),
        [`In Restricted Mode ${refusal}`],
      );
      assert.equal(isClientLoaded(), false);
    });
  }

  it('opens the manuals that come with the extension', async () => {
    await run('help');
    await eventually(() => {
      const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
      assert.match(label, /index\.md/);
    });
  });

  it('opens the configuration of the hub, which is the user’s own and runs nothing', async () => {
    await run('openHubConfig');
    await person().sees(/^These are the servers of the hub/);
    const opened = await eventually(() => {
      const { fileName = '' } = vscode.window.activeTextEditor?.document ?? {};
      assert.match(fileName, /hub[\\/]servers\.json$/);
      return fileName;
    });
    assert.ok(existsSync(opened), opened);
  });

  it('has a page with who sees what, where nobody sees anything', async () => {
    const tab = new AccessTab();
    try {
      await run('showAccess');
      const notice = await tab.tells(message =>
        message.kind === 'table' ? message.notice : undefined,
      );
      assert.match(notice, /Restricted Mode/);
      // The folders come when their disk has answered.
      await eventually(() => assert.equal(tab.wordOf('MCP Roots Server', 'api'), 'restricted'));
      tab.click('MCP Roots Server', 'api', true);
      tab.say({ kind: 'copy', text: '' });
      await tab.tells(({ kind }) => (kind === 'copied' ? kind : undefined));
      assert.equal(tab.wordOf('MCP Roots Server', 'api'), 'restricted');
    } finally {
      tab.leave();
    }
  });
});
