import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerDefinitions } from '../../../src/extension/gateway/agents/definitions.ts';
import { PublishingWindow, publishable } from '../../support/publishing.ts';

describe('the agents of the editor in Restricted Mode', () => {
  it('get no definitions, since the oldest supported editor starts every server it gets', () => {
    const { registerMcpServerDefinitionProvider } = vscode.lm;
    let providers = 0;
    const register = () => {
      providers += 1;
      return new vscode.Disposable(() => {});
    };
    Object.assign(vscode.lm, { registerMcpServerDefinitionProvider: register });
    try {
      const { published } = new PublishingWindow(publishable('files'));
      const place = { file: async () => '/stable/connect.js', windowId: 'w1' };
      registerDefinitions(published, place, console).dispose();
    } finally {
      Object.assign(vscode.lm, { registerMcpServerDefinitionProvider });
    }
    assert.deepEqual([vscode.workspace.isTrusted, providers], [false, 0]);
  });
});
