import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { GrantScope } from '../../domain/consent/grants.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { commandLine } from '../../domain/servers/launch.ts';
import { configurationRoutes } from '../../domain/servers/serverDefinition.ts';
import { folderText } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import { addedToMany, leavesText } from './folderQuestions.ts';
import type { RestartWishes } from './restartWishes.ts';

interface PickerItem extends vscode.QuickPickItem {
  /** The folder; `undefined` for what is no folder. */
  readonly uri?: string;
}

/**
 * Lets the user check the folders that a server may see; the ones it may see now are checked first.
 * Answers the URIs of the checked ones, or `undefined` when the user leaves without saying.
 *
 * @param restarts the wishes about restarts on a change of folders. With it, the list also has the
 *   wish for this server if it learns of new folders in no other way.
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
    description: folderText(access, { isLive, lastExposure: undefined }),
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

/** Asks how long an answer holds; `undefined` when the user leaves without saying. */
export async function pickScope(title: string): Promise<GrantScope | undefined> {
  const items: (vscode.QuickPickItem & { scope: GrantScope })[] = [
    {
      scope: 'workspace',
      label: vscode.l10n.t('In This Workspace'),
      detail: vscode.l10n.t('Remembered whenever this workspace is open.'),
    },
    {
      scope: 'session',
      label: vscode.l10n.t('For This Session'),
      detail: vscode.l10n.t('Forgotten when this window closes.'),
    },
    {
      scope: 'always',
      label: vscode.l10n.t('Always'),
      detail: vscode.l10n.t('Remembered for these folders in every workspace.'),
    },
  ];
  const placeHolder = vscode.l10n.t('How long does this answer hold?');
  const options = { title, placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.scope;
}

/** A server and the folders that wait for the user's answer on it. */
export interface Waiting {
  readonly server: Server;
  readonly folders: readonly Folder[];
}

/**
 * Asks in one message which of many servers may see folders that were added: nobody could read as
 * many messages. Answers the servers that may; `undefined` when the user leaves without saying.
 */
export async function askForMany(
  waiting: readonly Waiting[],
): Promise<ReadonlySet<Server> | undefined> {
  const choose = vscode.l10n.t('Choose Servers…');
  const none = vscode.l10n.t("Don't Allow");
  const button = await vscode.window.showInformationMessage(addedToMany(waiting), choose, none);
  switch (button) {
    case choose:
      return pickServers(waiting);
    case none:
      return new Set();
    default:
      return undefined;
  }
}

async function pickServers(waiting: readonly Waiting[]): Promise<ReadonlySet<Server> | undefined> {
  const items = waiting.map(({ server }) => ({
    label: server.definition.label,
    description: leavesText(server).join(' '),
    detail: commandLine(server.definition.launch),
    server,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: addedToMany(waiting),
    placeHolder: vscode.l10n.t('Check the servers that may see it. The others may not.'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked && new Set(picked.map(({ server }) => server));
}
