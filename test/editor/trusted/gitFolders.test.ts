import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { addFolders, pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { folderDetails, folderRow, folderState, serverNamed } from '../support/shownRows.ts';

describe('a Git repository inside a folder, and a worktree of it elsewhere', () => {
  const person = personForEachTest();
  const own = () => new Recorder('versioned');

  before(() => turnGit(true));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => turnGit(false));

  it('are offered and exposed to one server only', async () => {
    await makeRepository(pathBeside('project/nested'), pathBeside('feature'));
    const server = own();
    await server.define();
    person().will(server.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    await server.until(({ answers }) => answers.length >= 1);
    await eventually(async () => {
      assert.deepEqual(await offered(server), ['$(repo) nested', '$(repo) feature']);
    });
    assert.doesNotMatch(server.bytes, /nested|feature/);

    for (const [index, name] of ['nested', 'feature'].entries()) {
      await answer(server, `$(repo) ${name}`, 'Allow', 'Until the Window Closes');
      await person().sees(new RegExp(`^Allow "versioned" .* "${name}"`));
      await server.until(({ answers }) => answers.length >= index + 2);
    }
    assert.deepEqual(server.answers, [['api'], ['api', 'nested'], ['api', 'nested', 'feature']]);
    const shown = await serverNamed(server.name);
    assert.deepEqual(
      ['nested', 'feature'].map(name => folderState(shown, name)),
      ['exposed', 'exposed'],
    );
    assert.deepEqual(folderDetails(shown, 'nested').slice(1), [
      'offered to this server',
      'inside project',
    ]);
    assert.deepEqual(folderDetails(shown, 'feature').slice(1), ['offered to this server']);
    const other = await serverNamed('MCP Roots Server');
    const names = other.access.folders.map(({ folder }) => folder.name);
    assert.deepEqual(names, ['api', 'web', 'project']);

    assert.deepEqual(await offered(server), ['$(close) nested', '$(close) feature']);
    await answer(server, '$(close) nested');
    const row = folderRow(shown, 'feature');
    await vscode.commands.executeCommand('mcpRoots.withdrawFolder', row, [row]);
    await server.until(({ answers }) => answers.at(-1)?.length === 1);
    assert.deepEqual(server.answers.at(-1), ['api']);
  });

  /** The entries of the list, without the one to browse for a folder. */
  async function offered(server: Recorder): Promise<string[]> {
    await answer(server);
    const labels = person().seen.at(-1)?.detail.split('\n') ?? [];
    return labels.filter(label => /^\$\((?:repo|close)\)/.test(label));
  }

  async function answer(server: Recorder, ...answers: readonly string[]): Promise<void> {
    person().will(server.name, ...answers);
    await vscode.commands.executeCommand('mcpRoots.offerFolder');
  }
});

/** A repository in a folder of the window that is not one itself, as the editor gets to know it. */
async function makeRepository(path: string, worktree: string): Promise<void> {
  mkdirSync(path, { recursive: true });
  const file = join(path, 'readme.txt');
  writeFileSync(file, 'a file');
  const someone = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com'];
  git(path, 'init', '--quiet');
  git(path, ...someone, 'commit', '--quiet', '--allow-empty', '--message', 'A commit');
  git(path, 'worktree', 'add', '--quiet', worktree);
  await addFolders('project');
  // The editor looks for repositories around the files that are open.
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** Git is off in the windows of tests. */
async function turnGit(isOn: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('git');
  await settings.update('enabled', isOn, vscode.ConfigurationTarget.Global);
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd });
}
