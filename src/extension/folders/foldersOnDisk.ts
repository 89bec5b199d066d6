import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import type { StartWorkspace } from '../../domain/consent/launchConsent.ts';
import * as vscode from '../vscode.ts';

/** A workspace folder on this machine's disk. */
export interface FolderOnDisk {
  readonly name: string;
  readonly path: string;
}

/** The workspace folders on this machine's disk, in the order of the Explorer. */
export function foldersOnDisk(): FolderOnDisk[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The paths of the workspace folders on this machine's disk. */
export function pathsOnDisk(): string[] {
  return foldersOnDisk().map(({ path }) => path);
}

/** The workspace, as far as a start may take something of it. */
export function startWorkspace(): StartWorkspace {
  const all = (process.env['PATH'] ?? '').split(delimiter);
  // There an empty one means nothing, and some are quoted.
  const programFolders =
    process.platform === 'win32'
      ? all.map(path => path.replaceAll('"', '')).filter(path => path !== '')
      : all;
  return { folders: pathsOnDisk(), home: homedir(), programFolders };
}
