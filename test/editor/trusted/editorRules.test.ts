import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectClient } from '../support/connectedClient.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { becomes, rowOf, serverNamed, startWith } from '../support/shownRows.ts';

describe('a server that a rule of the editor forbids', () => {
  const person = personForEachTest();
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const allow = (access: string | undefined, target = Global) =>
    vscode.workspace.getConfiguration('chat.mcp').update('access', access, target);

  afterEach(async () => {
    await allow(undefined);
    await allow(undefined, Workspace);
  });

  it('is stopped, refuses starts and clients, and names the rule', async () => {
    const recorder = await new Recorder('ruled').define();
    const server = await startWith(person(), 'ruled', 'api');
    // Of the workspace's rule and the user's, the stricter one counts.
    await allow('all', Workspace);
    await allow('registry');
    await recorder.ended();
    await becomes(server, ({ state }) => state.kind === 'stopped');
    assert.deepEqual(server.access.roots, []);
    assert.equal(rowOf(server)[1], 'stopped · forbidden by chat.mcp.access');

    const sentence = / chat\.mcp\.access .* forbids "ruled"\./;
    await vscode.commands.executeCommand('mcpRoots.startServer', { kind: 'server', server });
    await person().sees(sentence);
    await assert.rejects(connectClient('ruled-client', 'ruled', uriOf('api').fsPath), sentence);
    assert.equal(recorder.pids.length, 1);
    const own = await serverNamed('MCP Roots Server');
    assert.equal(own.access.rule, undefined);

    await allow(undefined);
    await vscode.commands.executeCommand('mcpRoots.startServer', { kind: 'server', server });
    await becomes(server, ({ state }) => state.kind === 'running');
  });
});
