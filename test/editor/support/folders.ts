import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';

/** The folders of this window, by name, in their order. */
export function folderNames(): string[] {
  return workspaceFolders().map(({ name }) => name);
}

/** Makes folders beside the first one and opens them in this window, after the others. */
export async function addFolders(...names: readonly string[]): Promise<void> {
  const added = names.map(name => ({ uri: vscode.Uri.file(pathBeside(name)) }));
  for (const { uri } of added) {
    mkdirSync(uri.fsPath, { recursive: true });
  }
  await change(workspaceFolders().length, 0, added);
}

/** Gives a folder of this window another name. */
export async function renameFolder(name: string, newName: string): Promise<void> {
  const index = folderNames().indexOf(name);
  await change(index, 1, [{ uri: uriOf(name), name: newName }]);
}

/** Takes all folders but the first two out of this window. */
export async function closeAddedFolders(): Promise<void> {
  const added = workspaceFolders().length - 2;
  if (added > 0) {
    await change(2, added, []);
  }
}

/** Replaces folders of this window, and settles when the extensions know. */
export function change(
  start: number,
  removed: number,
  added: readonly { uri: vscode.Uri; name?: string }[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      listener.dispose();
      resolve();
    });
    if (!vscode.workspace.updateWorkspaceFolders(start, removed, ...added)) {
      listener.dispose();
      reject(new Error(`The editor refused to change its folders from ${start}.`));
    }
  });
}

/** The URI of a folder of this window. */
export function uriOf(name: string): vscode.Uri {
  const folder = workspaceFolders().find(folder => folder.name === name);
  if (!folder) {
    throw new Error(`There is no folder "${name}" in ${folderNames()}.`);
  }
  return folder.uri;
}

/** A path beside the first folder. */
export function pathBeside(name: string): string {
  return join(dirname(workspaceFolders()[0]?.uri.fsPath ?? ''), name);
}

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.workspaceFolders ?? [];
}
