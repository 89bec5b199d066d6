import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';

const caret = '|';
const ofFolders = ['${workspaceFolder}', '${workspaceFolder:name}', '${userHome}'];
const given = ['${env:NAME}', '${input:id}'];
const keys = [
  ...['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers'],
  ...['roots', 'rootsAs', 'protocol', 'autoStart'],
];

describe('where a person writes settings', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('the keys of a server are offered, each with what it is for', async () => {
    const items = await offered('"files": { | }', ...keys);
    const silent = items.filter(({ documentation }) => !documentation);
    assert.deepEqual(silent.map(nameOf), []);
  });

  it('whole servers are offered', async () => {
    await offered(
      '"files": |',
      'A server started as a process',
      'A server that gets its folders as arguments',
      'A server called over HTTP',
    );
  });

  const ofRoots = ['${rootsJoined:separator}', '${firstRoot}'];
  const places = [
    ['an argument', '"args": [|]', [...ofFolders, ...given, '${roots}', ...ofRoots]],
    ['a variable of the environment', '"env": { "A": | }', [...ofFolders, ...given, ...ofRoots]],
    ['the working directory', '"cwd": |', [...ofFolders, ...given, '${firstRoot}']],
    ['the program', '"command": |', [...ofFolders, ...given]],
    ['the file of variables', '"envFile": |', [...ofFolders, '${env:NAME}']],
    ['a header', '"headers": { "A": | }', ['Bearer ${input:token}', ...given]],
    ['a URL', '"url": |', ['https://', ...given]],
    ['an offered folder', '"roots": [|]', ['A folder by its name', ...ofFolders]],
  ] as const;
  for (const [what, place, names] of places) {
    it(`the variables that ${what} may hold are offered, and no others`, async () => {
      const items = await offered(`"files": { ${place} }`, ...names);
      const variables = (all: readonly string[]) =>
        all.filter(name => name.startsWith('${')).sort();
      assert.deepEqual(variables(items.map(nameOf)), variables(names));
    });
  }

  it('a variable is written as it is, for the person to complete', async () => {
    const items = await offered('"files": { "args": [|] }', '${input:id}');
    const chosen = items.find(item => nameOf(item) === '${input:id}')?.insertText;
    assert.ok(chosen instanceof vscode.SnippetString);
    assert.equal(chosen.value.replace(/,$/, ''), '"\\${input:${1:id}}"');
  });

  it('the keys of the file that clients share are offered, which the editor knows nothing of', async () => {
    const items = await offeredIn(
      '.mcp.json',
      '{ "mcpServers": { "a": { | } } }',
      ...['type', 'command', 'args', 'env', 'url', 'headers'],
    );
    assert.deepEqual(items.filter(({ documentation }) => !documentation).map(nameOf), []);
    await offeredIn('.mcp.json', '{ "mcpServers": { "a": { "type": | } } }', '"http"');
  });

  it('the keys of a server of the hub are offered where a file names its schema', async () => {
    const dist = join(import.meta.dirname, '..', '..', '..', 'dist');
    const schema = vscode.Uri.file(join(dist, 'hubConfig.schema.json'));
    const text = `{ "$schema": "${schema}", "servers": { "a": { "allow": [], | } } }`;
    await offeredIn('any.json', text, 'command', 'rootsAs', 'guard', 'tools');
  });
});

/** What is offered at the caret within `mcpRoots.servers` of a workspace file: these, among others. */
async function offered(
  servers: string,
  ...names: readonly string[]
): Promise<vscode.CompletionItem[]> {
  const text = `{ "folders": [], "settings": { "mcpRoots.servers": { ${servers} } } }`;
  return offeredIn('some.code-workspace', text, ...names);
}

/** What is offered at the caret in a file of this name: these, among others. */
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
