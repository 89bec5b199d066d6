import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('a trusted window with two folders', () => {
  it('is what this suite runs in', () => {
    assert.equal(vscode.workspace.isTrusted, true);
    assert.deepEqual(folderNames(), ['api', 'web']);
  });
});

function folderNames(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
}
