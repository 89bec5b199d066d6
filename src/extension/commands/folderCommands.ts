import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shownLine } from '../../domain/shown.ts';
import type { Consent } from '../consent/consent.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import { answerFolders } from './answerFolders.ts';
import { registerOfferFolder } from './offerFolder.ts';
import { pickServer } from './pickServer.ts';

/** The commands that answer on folders of servers, and offer them others. */
export function registerFolderCommands({
  commands,
  servers,
  folders,
  consent,
  offer,
}: Pick<Window, 'commands' | 'servers' | 'folders' | 'consent' | 'offer'>): IDisposable {
  const store = new DisposableStore();
  store.add(registerReviewAccess(commands, servers, folders, consent));
  store.add(registerAllowFolders(commands, consent));
  store.add(registerRevokeFolders(commands, consent));
  store.add(registerRevealRoot(commands, folders));
  store.add(registerOfferFolder(commands, servers, folders, offer));
  return store;
}

/** `reviewAccess`: all folders of one server in one list, to allow and to refuse. */
function registerReviewAccess(
  commands: Commands,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): vscode.Disposable {
  return commands.register(Command.reviewAccess, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Review the folders of which server?'),
    });
    if (server) {
      await folders.refresh();
      await consent.review(server);
    }
  });
}

/** `revealRoot`: shows a folder in the Explorer. */
function registerRevealRoot(commands: Commands, folders: CandidateFolders): vscode.Disposable {
  return commands.register(Command.revealRoot, async row => {
    const folder = await pickFolder(row, folders);
    if (folder?.path) {
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folder.path));
    }
  });
}

async function pickFolder(
  row: Row | undefined,
  { value }: CandidateFolders,
): Promise<Folder | undefined> {
  if (row?.kind === 'folder') {
    return row.access.folder;
  }
  const onDisk = value.filter(({ path }) => path !== undefined);
  if (onDisk.length === 0) {
    throw new HumanError('No folder on disk is open.');
  }
  const items = onDisk.map(folder => ({
    label: shownLine(folder.name),
    description: shownLine(folder.path ?? ''),
    folder,
  }));
  const placeHolder = t('Which folder?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.folder;
}

/** `allowFolders`: lets each server see those of its folders that are selected. */
function registerAllowFolders(commands: Commands, consent: Consent): vscode.Disposable {
  return commands.register(Command.allowFolders, (_, rows) => answerFolders(consent, rows, true));
}

/** `revokeFolders`: keeps the folders that are selected from the servers they are listed below. */
function registerRevokeFolders(commands: Commands, consent: Consent): vscode.Disposable {
  return commands.register(Command.revokeFolders, (_, rows) => answerFolders(consent, rows, false));
}
