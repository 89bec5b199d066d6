import { basename, dirname, join, sep } from 'node:path';
import { type ImportSource, importPlaces } from '../../domain/gateway/clientFiles.ts';
import type { KeyPath } from '../../domain/json.ts';
import { thisMachine } from '../adding/importServers.ts';
import type { SettingsScope } from '../settings.ts';
import * as vscode from '../vscode.ts';

/** The kind of servers that a file defines. */
export type DefinitionKind =
  | {
      readonly kind: 'settings';
      /** The scope; `undefined` for settings that this window does not read. */
      readonly from: SettingsScope | undefined;
      /** The path to the settings in the file: one key, or empty when they are the whole file. */
      readonly under: KeyPath;
    }
  /** The file of the hub. */
  | { readonly kind: 'hub' }
  /** The file of another client. */
  | { readonly kind: 'client'; readonly source: ImportSource };

/** The paths of the files that define servers for this window and for the hub. */
export interface DefinitionPlaces {
  /** The folder with the user's settings and the storage of extensions. */
  readonly editorFolder: string;
  /** The file with the servers of the hub. */
  readonly hubFile: string;
}

/** The kind of servers that a document defines; `undefined` if it defines none in a known form. */
export function definitionKind(
  document: vscode.TextDocument,
  places: DefinitionPlaces,
): DefinitionKind | undefined {
  const { scheme, path } = document.uri;
  const isUserData = scheme === 'vscode-userdata';
  if (scheme !== 'file' && !isUserData) {
    return undefined;
  }
  const name = basename(path);
  if (name.endsWith('.code-workspace')) {
    const isOpen = document.uri.toString() === vscode.workspace.workspaceFile?.toString();
    return { kind: 'settings', from: isOpen ? 'workspace' : undefined, under: ['settings'] };
  }
  const isOfUser = isUserData || isBelow(document.uri.fsPath, places.editorFolder);
  if (name === 'settings.json') {
    return settingsKind(document.uri, isOfUser);
  }
  if (name === 'mcp.json' || name === '.mcp.json') {
    return { kind: 'client', source: sourceOf(document.uri, isOfUser, places) };
  }
  const isHub = document.uri.fsPath === places.hubFile || hasHubSchema(document);
  return isHub ? { kind: 'hub' } : undefined;
}

function settingsKind(uri: vscode.Uri, isOfUser: boolean): DefinitionKind | undefined {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (basename(dirname(uri.path)) === '.vscode') {
    const [folder, ...others] = workspaceFolders;
    const isRead =
      !workspaceFile &&
      others.length === 0 &&
      folder !== undefined &&
      vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json').toString() === uri.toString();
    return { kind: 'settings', from: isRead ? 'workspace' : undefined, under: [] };
  }
  // Settings of a remote machine count as settings of the user.
  const isOfMachine = basename(dirname(uri.path)) === 'Machine';
  return isOfUser || isOfMachine ? { kind: 'settings', from: 'user', under: [] } : undefined;
}

function sourceOf(
  { fsPath }: vscode.Uri,
  isOfUser: boolean,
  { editorFolder }: DefinitionPlaces,
): ImportSource {
  const places = importPlaces(thisMachine(editorFolder));
  const path = isOfUser ? join(editorFolder, 'mcp.json') : fsPath;
  const known = places.find(place => place.path === path && place.source.at.length === 0);
  return known?.source ?? { label: basename(fsPath), at: [], scope: 'workspace' };
}

/** Whether the file refers to the hub's schema. */
function hasHubSchema(document: vscode.TextDocument): boolean {
  return /^\s*(?:\/\/.*\s*)*\{\s*"\$schema"\s*:\s*"[^"]*hubConfig\.schema\.json"/.test(
    document.getText(new vscode.Range(0, 0, 50, 0)),
  );
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder + sep);
}
