import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';

const caret = '|';
const ofFolders = ['${workspaceFolder}', '${workspaceFolder:name}', '${userHome}'];
const given = ['${env:NAME}', '${input:id}'];
const ofRoots = ['${roots}', '${rootsJoined:separator}', '${firstRoot}'];
describe('the completion in the settings', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const places = [
    ['an argument', '"args": [|]', [...ofFolders, ...given, ...ofRoots]],
    ['the file of variables', '"envFile": |', [...ofFolders, '${env:NAME}']],
    ['an offered folder', '"roots": [|]', ['A folder by its name', ...ofFolders]],
  ] as const;
  for (const [what, place, names] of places) {
    it(`offers exactly the variables that ${what} may hold`, async () => {
      const items = await offered(`"files": { ${place} }`, ...names);
      const variables = (all: readonly string[]) =>
        all.filter(name => name.startsWith('${')).sort();
      assert.deepEqual(variables(items.map(nameOf)), variables(names));
    });
  }

  it('writes a variable as it is, for the user to complete', async () => {
    const items = await offered('"files": { "args": [|] }', '${input:id}');
    const chosen = items.find(item => nameOf(item) === '${input:id}')?.insertText;
    assert.ok(chosen instanceof vscode.SnippetString);
    assert.equal(chosen.value.replace(/,$/, ''), '"\\${input:${1:id}}"');
  });

  it('offers the keys of .mcp.json', async () => {
    const items = await offeredIn(
      '.mcp.json',
      '{ "mcpServers": { "a": { | } } }',
      ...['type', 'command', 'args', 'env', 'url', 'headers'],
    );
    assert.deepEqual(items.filter(({ documentation }) => !documentation).map(nameOf), []);
    await offeredIn('.mcp.json', '{ "mcpServers": { "a": { "type": | } } }', '"http"');
  });
});

/** The completions at the caret in `mcpRoots.servers` of a workspace file must include these. */
async function offered(
  servers: string,
  ...names: readonly string[]
): Promise<vscode.CompletionItem[]> {
  const text = `{ "folders": [], "settings": { "mcpRoots.servers": { ${servers} } } }`;
  return offeredIn('some.code-workspace', text, ...names);
}

/** The completions at the caret in a file of this name must include these. */
async function offeredIn(
  fileName: string,
  text: string,
  ...names: readonly string[]
): Promise<vscode.CompletionItem[]> {
  const file = join(mkdtempSync(pathBeside('settings-')), fileName);
  writeFileSync(file, text.replace(caret, ''));
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await vscode.window.showTextDocument(document);
  const position = document.positionAt(text.indexOf(caret));
  // The editor knows what to offer once it has read the schema of all settings.
  return eventually(async () => {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    );
    const missing = names.filter(name => !items.some(item => nameOf(item) === name));
    assert.deepEqual(missing, [], `offered: ${items.map(nameOf)}`);
    return items;
  });
}

function nameOf({ label }: vscode.CompletionItem): string {
  return typeof label === 'string' ? label : label.label;
}
