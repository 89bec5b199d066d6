import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AccessTab } from '../support/accessTab.ts';

describe('the page with who sees what, without a folder', () => {
  it('says that there is nothing to see', async () => {
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
