import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { writeTree } from '../support/temp.ts';
import { FileEditor } from './support/fileEditor.ts';
import { openWorkbench } from './support/openWorkbench.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const entry = { command: process.execPath, args: [everything] };

describe('a file with definitions of servers', () => {
  it('says above each server how it stands, starts it from there, and says what MCP Roots has of those of another client', async t => {
    const { workbench, workspace } = await openWorkbench(t, {
      workspaceSettings: {
        'mcpRoots.servers': { everything: entry, odd: { ...entry, env: { A: 'b' } } },
      },
    });
    const { dialog, quickInput } = workbench;
    const editor = new FileEditor(workbench);
    await workbench.runCommand('Workspaces: Open Workspace Configuration File');
    await editor.showsLenses(/^stopped \| Start$/, /^stopped \| Start$/);
    await workbench.screenshot('definitionFiles-workspace');

    await editor.clickLensUntil(dialog.box, 'stopped', 'Start');
    await dialog.click('Allow');
    await quickInput.pick('For This Session');
    await editor.showsLenses(/^running( ·.*)?$/, /^stopped \| Start$/);

    await workbench.reload();
    // The editor may not have kept which files were open.
    await workbench.runCommand('Workspaces: Open Workspace Configuration File');
    await editor.showsLenses(/^stopped \| Start/, /^stopped \| Start/);

    const other = { command: 'npx', args: ['-y', 'other'] };
    writeTree(join(dirname(workspace), 'api'), {
      '.vscode/mcp.json': JSON.stringify({ servers: { everything: entry, other } }, null, 2),
      '.mcp.json': '{\n  "mcpServers": {\n    "other": {\n      \n    }\n  }\n}\n',
    });
    await editor.open('.vscode/mcp.json');
    // The editor itself puts its own beside.
    await editor.showsLenses(
      /also in MCP Roots as "everything": stopped/,
      /Not through MCP Roots \| Import…/,
    );
    await workbench.screenshot('definitionFiles-mcp');

    await editor.open('.mcp.json');
    await editor.showsLenses(/^Not through MCP Roots/);
    await editor.goTo(4, 7);
    const offered = await editor.completions();
    assert.deepEqual(
      ['args', 'command', 'env', 'headers', 'type', 'url'].filter(key => !offered.includes(key)),
      [],
      offered.join(),
    );
    await workbench.screenshot('definitionFiles-completion');
  });
});
