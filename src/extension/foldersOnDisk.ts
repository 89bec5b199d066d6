import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import type { StartWorkspace } from '../domain/consent/launchConsent.ts';
import * as vscode from './vscode.ts';

/** The workspace folders on this machine's disk, in the order of the Explorer. */
export function foldersOnDisk() {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The paths of the workspace folders on this machine's disk. */
export function pathsOnDisk(): string[] {
  return foldersOnDisk().map(({ path }) => path);
}

/** The workspace of this window, to tell whether a start depends on it. */
export function startWorkspace(): StartWorkspace {
  const all = (process.env['PATH'] ?? '').split(delimiter);
  // On Windows, an empty entry has no meaning, and entries may be in quotes.
  const programFolders =
    process.platform === 'win32'
      ? all.map(path => path.replaceAll('"', '')).filter(path => path !== '')
      : all;
  return { folders: pathsOnDisk(), home: homedir(), programFolders };
}
