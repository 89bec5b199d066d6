import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('a window in Restricted Mode', () => {
  it('is what this suite runs in', () => {
    assert.equal(vscode.workspace.isTrusted, false);
    assert.deepEqual(folderNames(), ['api', 'web']);
  });
});

function folderNames(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
}
