import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate } from '../../../src/extension/main.ts';
import { extensionId } from '../../support/extensionId.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { personForEachTest } from '../support/person.ts';

// Its name is the first of this folder: what the tests of other files do loads the SDK.
describe('activation', () => {
  const person = personForEachTest();

  it('loads no SDK and starts nothing before anybody asks for a server', async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    assert.equal(isClientLoaded(), false);
  });

  it('that fails is shown, and the log says why', async () => {
    const failure = new Error('There is no storage.');
    const logged: unknown[] = [];
    const { createOutputChannel } = vscode.window;
    // One of the same name would be that of the extension that runs.
    const channel = { error: (error: unknown) => logged.push(error), dispose: () => {} };
    Object.assign(vscode.window, { createOutputChannel: () => channel });
    const context = {
      subscriptions: [],
      get globalStorageUri(): vscode.Uri {
        throw failure;
      },
    };
    try {
      activate(context as unknown as vscode.ExtensionContext);
    } finally {
      Object.assign(vscode.window, { createOutputChannel });
    }
    await person().sees(/^MCP Roots could not start\. The log "MCP Roots" has the details\.$/);
    assert.deepEqual(logged, [failure]);
  });
});
