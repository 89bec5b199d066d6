import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('a window without a folder', () => {
  it('is what this suite runs in', () => {
    assert.deepEqual(folderNames(), []);
  });
});

function folderNames(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
}
