import * as vscode from 'vscode';
import type { Folder } from '../../domain/folders/folders.ts';
import { commandLine } from '../../domain/servers/launch.ts';
import type { Server } from '../servers/server.ts';
import { addedToMany, leavesText } from './addedText.ts';

/** A server and the folders that wait for the user's answer on it. */
export interface Waiting {
  readonly server: Server;
  readonly folders: readonly Folder[];
}

/**
 * Asks for many servers at once who of them may see folders that were added: as many messages as
 * servers nobody could read. Answers those that may; `undefined` when the user leaves without saying.
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
