import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';

const openHubConfig = () => vscode.commands.executeCommand('mcpRoots.openHubConfig');
const close = () => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
const connect = 'Connect a Client…';
const hub = ['The Hub'];

describe('the configuration of the hub', () => {
  const person = personForEachTest();
  let folder: string;
  beforeEach(async () => {
    await openHubConfig();
    folder = await eventually(() => {
      assert.match(opened().fileName, /servers\.json$/);
      return dirname(opened().fileName);
    });
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is created when it is missing, and opens without mistakes', async () => {
    const { fileName, languageId } = opened();
    assert.match(fileName, /globalStorage[\\/][\w-]+\.mcp-roots[\\/]hub[\\/]servers\.json$/);
    assert.equal(languageId, 'jsonc');
    // The editor may save what it holds meanwhile.
    const template = readFileSync(fileName, 'utf8');
    await saysOf(template, '"keyz": 1', [/^"keyz" .* autoStart, tools, guard\./]);
    await saysOf(template, '"guard": { "check": "of" }', [/ "on", "off"\.$/]);
    await saysOf(template, '"guard": { "check": "off" }', []);
  });

  it('completes its keys', async () => {
    const text = '{ "mcpServers": { "files": { | } } }';
    await eventually(async () => {
      await hold(text.replace('|', ''));
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        opened().uri,
        opened().positionAt(text.indexOf('|')),
      );
      const names = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      const missing = ['command', 'url', 'rootsAs', 'guard'].filter(name => !names.includes(name));
      assert.deepEqual(missing, [], `offered: ${names} in ${opened().getText()}`);
    });
  });

  it('gives a client an entry that starts the installed server', async () => {
    person().will(connect, 'Cursor', hub, 'Copy');
    await openHubConfig();
    const advice = await person().sees(/^Copied\./);
    assert.equal(advice.text, 'Copied. Add the text to ~/.cursor/mcp.json.');
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
    const { command, args } = mcpServers['mcp-roots-hub'];
    const [launcher, option, config, ...others] = args;
    assert.deepEqual(
      { command, option, config, others },
      { command: 'node', option: '--config', config: opened().fileName, others: [] },
    );
    const said = execFileSync(process.execPath, [launcher, '--version'], { encoding: 'utf8' });
    assert.match(said, /\d+\.\d+\.\d+/);
  });
});

/** The document that the command opened. */
function opened(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, 'No editor is open.');
  return document;
}

/** Adds keys to the example's, and settles when the editor marks exactly these mistakes. */
async function saysOf(template: string, keys: string, problems: readonly RegExp[]): Promise<void> {
  const example = template.replace(/^ {4}\/\/ /gm, '    ');
  const end = /\]\n(?= +\}\n)/;
  assert.match(example, end);
  await eventually(async () => {
    await hold(example.replace(end, `], ${keys}\n`));
    const said = vscode.languages.getDiagnostics(opened().uri).map(({ message }) => message);
    assert.equal(said.length, problems.length, said.join('\n'));
    for (const [index, problem] of problems.entries()) {
      assert.match(said[index] ?? '', problem);
    }
  });
}

/**
 * Replaces all of the document, unless it holds this already. While the editor still learns what
 * became of its file, it may refuse that, or take what is in the file instead.
 */
async function hold(text: string): Promise<void> {
  const document = opened();
  if (document.getText() !== text) {
    const edit = new vscode.WorkspaceEdit();
    const end = document.lineAt(document.lineCount - 1).range.end;
    edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }
}
