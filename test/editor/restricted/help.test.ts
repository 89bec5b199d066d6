import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';

describe('the help', () => {
  it('opens the manuals that come with the extension, in Restricted Mode too', async () => {
    await vscode.commands.executeCommand('mcpRoots.help');
    await eventually(() => {
      const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
      assert.match(label, /index\.md/);
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
