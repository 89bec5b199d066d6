import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/consent/access.ts';
import { configurationRoutes } from '../../domain/consent/configuredRoots.ts';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import type { RestartWishes } from './restartWishes.ts';

interface PickerItem extends vscode.QuickPickItem {
  /** The folder; `undefined` for what is no folder. */
  readonly uri?: string;
}

/**
 * Lets the user check the folders that a server may see, those it may see now being checked.
 * Answers the URIs of the checked ones, or `undefined` when the user leaves without saying.
 *
 * @param restarts where it is kept whether the server restarts when its folders change, which then
 * can be checked as well if it is one of those that learn of them in no other way.
 */
export async function pickFolders(
  server: Server,
  folders: readonly FolderAccess[],
  restarts: RestartWishes | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const items = folders.map(access => folderItem(access, server));
  const isConfigured = configurationRoutes(server.definition.rootsAs).length > 0;
  const wish = restarts && isConfigured ? restartItems(restarts.of(server) ?? false) : [];
  const picked = await vscode.window.showQuickPick<PickerItem>([...items, ...wish], {
    title: vscode.l10n.t('Folders for "{0}"', server.definition.label),
    placeHolder: vscode.l10n.t('Check the folders the server may see. The others it may not.'),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  const restart = wish.at(-1);
  if (picked && restarts && restart && picked.includes(restart) !== restart.picked) {
    await restarts.set(server, picked.includes(restart));
  }
  return picked && new Set(picked.flatMap(({ uri }) => uri ?? []));
}

function folderItem(access: FolderAccess, { isLive }: Server): PickerItem {
  return {
    label: printable(access.folder.name),
    description: folderText(access, { isLive, told: undefined }),
    detail: printable(access.folder.path ?? access.folder.uri),
    picked: access.root !== undefined,
    uri: access.folder.uri,
  };
}

function restartItems(isWanted: boolean): PickerItem[] {
  return [
    {
      label: vscode.l10n.t('Besides the folders'),
      kind: vscode.QuickPickItemKind.Separator,
    },
    {
      label: vscode.l10n.t('Restart Whenever They Change'),
      detail: vscode.l10n.t('Unchecked, you restart the server by hand to tell it of new folders.'),
      picked: isWanted,
    },
  ];
}
