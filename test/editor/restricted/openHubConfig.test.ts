import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { Person } from '../support/person.ts';

describe('the configuration of the hub in Restricted Mode', () => {
  it('opens, because it is the user’s own and nothing is run', async () => {
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.openHubConfig');
      await person.sees(/^These are the servers of the hub/);
    } finally {
      person.leave();
    }
    const opened = await eventually(() => {
      const { fileName = '' } = vscode.window.activeTextEditor?.document ?? {};
      assert.match(fileName, /hub[\\/]servers\.json$/);
      return fileName;
    });
    assert.ok(existsSync(opened), opened);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
