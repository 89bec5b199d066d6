import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { writeTree } from '../support/temp.ts';
import { eventually } from './support/eventually.ts';
import { FileEditor } from './support/fileEditor.ts';
import { openWorkbench } from './support/openWorkbench.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const entry = { command: process.execPath, args: [everything] };

describe('a file with definitions of servers', () => {
  it('says above each server how it stands, starts it from there, takes its secrets out, and says what MCP Roots has of those of another client', async t => {
    const token = 'Zq8vN2kLp4RtX7wBs1Yd';
    const { workbench, workspace, folder } = await openWorkbench(t, {
      workspaceSettings: {
        'mcpRoots.servers': {
          everything: entry,
          odd: { ...entry, env: { API_TOKEN: token } },
        },
      },
    });
    const { page, dialog, quickInput, notifications } = workbench;
    const editor = new FileEditor(workbench);
    await workbench.runCommand('Workspaces: Open Workspace Configuration File');
    await editor.showsLenses(
      /^stopped \| Start \| Review Access… \| Show Log$/,
      /^stopped \| Start \| Review Access… \| Show Log$/,
    );
    await workbench.screenshot('definitionFiles-workspace');

    await editor.clickLensUntil(dialog.box, 'stopped', 'Start');
    await dialog.click('Allow');
    await quickInput.pick('For This Session');
    await editor.showsLenses(/^running( ·.*)? \| Review Access… \| Show Log$/, /^stopped/);
    const output = page.locator('.part.panel select').first();
    await editor.clickLensUntil(output, 'running', 'Show Log');
    await eventually(async () => assert.equal(await output.inputValue(), 'MCP Roots: everything'));
    await page
      .locator('.part.panel')
      .getByRole('button', { name: /^Hide Panel/ })
      .click();

    await editor.goTo(lineOf(workspace, '"API_TOKEN"'), 16);
    await editor.fix('Move the secrets of "odd" to the secret storage');
    await notifications.waitFor('The secrets of "odd" are in the secret storage now.');
    await eventually(() => assert.ok(!readFileSync(workspace, 'utf8').includes(token)));

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

    const hub = join(folder, 'editor/data/User/globalStorage/mcp-roots.mcp-roots/hub');
    const wrong = { ...other, guard: 'of' };
    writeTree(hub, { 'servers.json': JSON.stringify({ mcpServers: { other, wrong } }, null, 2) });
    await workbench.runCommand('MCP Roots: Open Hub Configuration');
    await editor.shows('servers.json');
    await editor.showsLenses(
      /^Connect a Client…$/,
      /^left out by the hub because of its mistakes$/,
    );
    await workbench.screenshot('definitionFiles-hub');
  });
});

/** The number of the first line with this text, from 1. */
function lineOf(file: string, text: string): number {
  return (
    readFileSync(file, 'utf8')
      .split('\n')
      .findIndex(line => line.includes(text)) + 1
  );
}
