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
    const recorder = await new Recorder('untrusted').define();
    await run('startServer');
    await run('reviewAccess');
    const [start, review, ...others] = person().seen.map(({ text }) => text);
    assert.match(start ?? '', /^In Restricted Mode no server starts/);
    assert.deepEqual([review, ...others], [start]);
    assert.deepEqual(recorder.pids, []);
    assert.equal(isClientLoaded(), false);
  });

  it('refuses to add or import a server with the reason, and asks nothing', async () => {
    await run('addServer');
    await run('importServers');
    const [first, ...others] = person().seen.map(({ text }) => text);
    assert.match(first ?? '', /^In Restricted Mode no server can be added/);
    assert.deepEqual(others, [first]);
    assert.equal(isClientLoaded(), false);
  });

  it('opens the configuration of the hub, which belongs to the user and runs nothing', async () => {
    await run('openHubConfig');
    await person().sees(/^This file lists the servers of the hub/);
    const opened = await eventually(() => {
      const { fileName = '' } = vscode.window.activeTextEditor?.document ?? {};
      assert.match(fileName, /hub[\\/]servers\.json$/);
      return fileName;
    });
    assert.ok(existsSync(opened), opened);
  });

  it('shows on the access page that nobody sees anything', async () => {
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
