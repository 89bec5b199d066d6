import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { becomes, serverNamed } from '../support/shownRows.ts';

describe('the remedy of a problem', () => {
  const person = personForEachTest();

  it('passes on a variable that the server names and this editor has', async () => {
    process.env['MCP_ROOTS_TEST_TOKEN'] = 'abc';
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = join(folder, 'wants.cjs');
    writeFileSync(
      file,
      `if (!process.env.MCP_ROOTS_TEST_TOKEN) {
        console.error('MCP_ROOTS_TEST_TOKEN is not set');
        process.exit(1);
      }
      process.stdin.resume();`,
    );
    try {
      await setServers({ wants: { command: process.execPath, args: [file] } });
      person().will('wants', 'Allow', 'For This Session');
      await vscode.commands.executeCommand('mcpRoots.startServer');
      const server = await serverNamed('wants');
      await becomes(server, ({ state }) => state.kind === 'failed');
      person().will('Pass It On');
      await vscode.commands.executeCommand('mcpRoots.passOn', { kind: 'problem', server });
      const setting = vscode.workspace.getConfiguration('mcpRoots').get<object>('servers');
      assert.deepEqual(Object(setting).wants.env, {
        MCP_ROOTS_TEST_TOKEN: '${env:MCP_ROOTS_TEST_TOKEN}',
      });
      const said = person().seen.map(({ text }) => text);
      assert.match(said.join('\n'), /Pass MCP_ROOTS_TEST_TOKEN on to "wants"\?/);
      // It is another server now, which is asked about before it starts.
      const next = await serverNamed('wants');
      assert.notEqual(next.identity, server.identity);
      assert.equal(next.state.kind, 'stopped');
    } finally {
      delete process.env['MCP_ROOTS_TEST_TOKEN'];
      await vscode.workspace.fs.delete(vscode.Uri.file(file));
    }
  });
});
