import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isClientLoaded } from '../support/loaded.ts';
import { Person } from '../support/person.ts';

describe('a window without a folder', () => {
  it('starts nothing and says why', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.startServer');
      await person.sees(/^No folder is open, so there is nothing to expose/);
      await vscode.commands.executeCommand('mcpRoots.reviewAccess');
      await person.sees(/^No folder on disk is open, so there is nothing to allow/);
    } finally {
      person.leave();
    }
    assert.equal(isClientLoaded(), false);
  });
});
