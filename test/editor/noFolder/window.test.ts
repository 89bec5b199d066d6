import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AccessTab } from '../support/accessTab.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { Person } from '../support/person.ts';

describe('a window without a folder', () => {
  it('starts nothing and says why', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.startServer');
      await vscode.commands.executeCommand('mcpRoots.reviewAccess');
      const [start, review] = person.seen.map(({ text }) => text);
      assert.match(start ?? '', /^No folder is open in the window, so there is nothing to expose/);
      assert.equal(review, start);
    } finally {
      person.leave();
    }
    assert.equal(isClientLoaded(), false);
  });

  it('has a page with who sees what that says that there is nothing to see', async () => {
    const tab = new AccessTab();
    try {
      await vscode.commands.executeCommand('mcpRoots.showAccess');
      const notice = await tab.tells(message =>
        message.kind === 'table' ? message.notice : undefined,
      );
      assert.match(notice, /^No folder is open/);
      assert.deepEqual(tab.table.folders, []);
    } finally {
      tab.leave();
    }
  });
});
