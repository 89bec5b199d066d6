import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate } from '../../../src/extension/main.ts';
import { extensionId } from '../../support/extensionId.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { personForEachTest } from '../support/person.ts';
import { replacing } from '../support/replacing.ts';

// Its name is the first in this folder, because tests of other files load the SDK.
describe('activation', () => {
  const person = personForEachTest();
  const replace = replacing();

  it('loads no SDK and starts nothing before anybody asks for a server', async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    assert.equal(isClientLoaded(), false);
  });

  it('shows a failure and logs its cause', async () => {
    const failure = new Error('There is no storage.');
    const logged: unknown[] = [];
    // A view of the same name would belong to the running extension.
    const channel = { error: (error: unknown) => logged.push(error), dispose: () => {} };
    replace(vscode.window, { createOutputChannel: () => channel });
    const context = {
      subscriptions: [],
      get globalStorageUri(): vscode.Uri {
        throw failure;
      },
    };
    activate(context as unknown as vscode.ExtensionContext);
    await person().sees(/^MCP Roots could not start\./);
    assert.deepEqual(logged, [failure]);
  });
});
