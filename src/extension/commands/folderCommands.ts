import { isAnswerable, isNewAnswer } from '../../domain/consent/folderAccess.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown, shownLine } from '../../domain/shown.ts';
import type { Consent } from '../consent/consent.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import { t } from '../text.ts';
import { type FolderRow, foldersIn, type Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import { registerOfferFolder } from './offerFolder.ts';
import { pickServer } from './pickServer.ts';

/** The commands that answer on folders of servers, and offer them others. */
export function registerFolderCommands(
  window: Pick<Window, 'commands' | 'servers' | 'folders' | 'consent' | 'offer'>,
): void {
  const { commands, servers, folders, consent } = window;
  commands.register(Command.allowFolders, (_, rows) => answerFolders(consent, rows, true));
  commands.register(Command.revokeFolders, (_, rows) => answerFolders(consent, rows, false));
  commands.register(Command.reviewAccess, async row => {
    const placeHolder = t('Review the folders of which server?');
    const server = await pickServer(servers, row, { placeHolder });
    if (server) {
      await folders.refresh();
      await consent.review(server);
    }
  });
  commands.register(Command.revealRoot, async row => {
    const folder = await pickFolder(row, folders);
    if (folder?.path) {
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folder.path));
    }
  });
  registerOfferFolder(window);
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

/**
 * Keeps the same answer for all folders among these rows, for this workspace. More than one is
 * confirmed first, all at once.
 *
 * @throws {HumanError} when there is no folder among them that this would change.
 */
export async function answerFolders(
  consent: Pick<Consent, 'set'>,
  rows: readonly Row[],
  isAllowed: boolean,
): Promise<void> {
  const folders = foldersIn(rows);
  const open = folders.filter(({ access }) => isNewAnswer(access, isAllowed));
  if (open.length === 0) {
    throw new HumanError(nothingToDo(folders, isAllowed));
  }
  if (open.length > 1 && !(await isConfirmed(open, isAllowed))) {
    return;
  }
  // One after the other: each may have a question of its own.
  for (const { server, access } of open) {
    await consent.set(server, access.folder, isAllowed);
  }
}

function nothingToDo(folders: readonly FolderRow[], isAllowed: boolean): string {
  if (folders.length === 0) {
    return 'Select folders in the view "Servers" first.';
  }
  if (!folders.some(({ access }) => isAnswerable(access))) {
    return 'No answer can change how these folders stand. Their rows say why.';
  }
  return isAllowed ? 'These folders are allowed already.' : 'These folders are not allowed anyway.';
}

async function isConfirmed(folders: readonly FolderRow[], isAllowed: boolean): Promise<boolean> {
  const button = isAllowed ? t('Allow') : t('Revoke');
  const question = isAllowed
    ? t('Allow {0} folders, each to the server it is listed below?', folders.length)
    : t('Revoke {0} folders, each from the server it is listed below?', folders.length);
  const detail = shown(folders.map(row => lineFor(row, isAllowed)).join('\n'));
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, button)) === button;
}

function lineFor({ server, access }: FolderRow, isAllowed: boolean): string {
  const { folder, isReadOnly } = access;
  const line = printable(`• ${server.definition.label}: ${folder.path ?? folder.uri}`);
  return isAllowed && isReadOnly ? t('{0} (read only)', line) : line;
}
