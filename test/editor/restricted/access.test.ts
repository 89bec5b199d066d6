import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { AccessTab } from '../support/accessTab.ts';

describe('the page with who sees what, in Restricted Mode', () => {
  it('says that nobody sees anything', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const tab = new AccessTab();
    try {
      await vscode.commands.executeCommand('mcpRoots.showAccess');
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
