import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readDefinitions } from '../../../src/extension/definitionFiles/definitionText.ts';
import { ServerLenses } from '../../../src/extension/definitionFiles/serverLenses.ts';
import { shownServer } from '../../support/shownServer.ts';
import { openFile, shown, showsLines, showsMarks, windowWith } from '../support/definitionFile.ts';
import { uriOf } from '../support/folders.ts';
import { setServers } from '../support/recorder.ts';

describe('a file with definitions of servers in Restricted Mode', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setServers(undefined);
  });

  it('says that servers of the workspace are not read, and marks their mistakes', async () => {
    await setServers({ files: { command: 'x', colour: 1 } });
    const document = await shown(vscode.workspace.workspaceFile!);
    await showsLines(document, { files: ['not in use in this window'] });
    await showsMarks(
      document,
      'error "colour": 1',
      // The editor's own.
      'warning "mcpRoots.servers": {',
    );
  });

  it('offers neither Start nor Import', async () => {
    const path = join(uriOf('api').fsPath, '.mcp.json');
    const document = await openFile(path, { mcpServers: { one: { command: 'y' } } });
    await showsLines(document, { one: ['Bypasses MCP Roots'] });
    rmSync(path);
    const own = { kind: 'settings', from: 'user', under: [] } as const;
    const content = '{ "mcpRoots.servers": { "files": { "command": "x" } } }';
    const settings = await vscode.workspace.openTextDocument({ content, language: 'jsonc' });
    const { definition } = shownServer();
    const withId = () => shownServer({ definition: { ...definition, from: 'user' } });
    const read = () => readDefinitions(settings, own);
    const lenses = new ServerLenses(windowWith(withId), read);
    assert.deepEqual(
      lenses.provideCodeLenses(settings).map(({ command }) => command?.title),
      ['stopped'],
    );
  });
});
