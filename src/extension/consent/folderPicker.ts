import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/consent/access.ts';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../folderText.ts';

/**
 * Lets the user check the folders that a server may see, those it may see now being checked.
 * Answers the URIs of the checked ones, or `undefined` when the user leaves without saying.
 */
export async function pickFolders(
  title: string,
  folders: readonly FolderAccess[],
  isLive: boolean,
): Promise<ReadonlySet<string> | undefined> {
  const items = folders.map(access => ({
    label: printable(access.folder.name),
    description: folderText(access, { isLive, told: undefined }),
    detail: printable(access.folder.path ?? access.folder.uri),
    picked: access.root !== undefined,
    uri: access.folder.uri,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Check the folders the server may see. The others it may not.'),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked && new Set(picked.map(({ uri }) => uri));
}
