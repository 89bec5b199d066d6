import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isClientLoaded } from '../support/loaded.ts';

// Its name is the first of this folder: what the tests of other files do loads the SDK.
describe('activation', () => {
  it('loads no SDK and starts nothing before anybody asks for a server', async () => {
    await vscode.extensions.getExtension('mcp-roots.mcp-roots')?.activate();
    assert.equal(isClientLoaded(), false);
  });
});
