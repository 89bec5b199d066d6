import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../support/extensionId.ts';
import { toolsOf } from '../support/agents.ts';
import { connectClient } from '../support/connectedClient.ts';
import { uriOf } from '../support/folders.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';

describe('a server that is offered in Restricted Mode', () => {
  afterEach(() => define(undefined));

  const person = personForEachTest();

  it('is hidden from agents, refuses clients with the reason and never starts', async () => {
    const recorder = new Recorder('offered');
    // Servers of the workspace do not exist here.
    await define({ offered: recorder.definition() });
    person().will('offered', ['api'], 'In This Workspace');
    await vscode.commands.executeCommand('mcpRoots.reviewAccess');
    person().will('offered');
    await vscode.commands.executeCommand('mcpRoots.offerToAgents');
    await vscode.commands.executeCommand(
      'workbench.mcp.startServer',
      `${extensionId}/offered (MCP Roots)`,
    );
    const refused = connectClient('outside', 'offered', uriOf('api').fsPath);
    await assert.rejects(refused, /In Restricted Mode/);
    assert.deepEqual(toolsOf('offered'), []);
    assert.deepEqual(recorder.pids, []);
    assert.equal(isClientLoaded(), false);
    assert.deepEqual(
      person().seen.filter(({ text }) => /^Allow /.test(text)),
      [],
    );
  });
});

/** In the settings of the user. */
async function define(servers: object | undefined): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('mcpRoots').update('servers', servers, Global);
}
