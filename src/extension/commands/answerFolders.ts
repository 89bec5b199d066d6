import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { isAnswerable, isNewAnswer } from '../../domain/folders/folderStanding.ts';
import { printable } from '../../domain/printable.ts';
import type { Consent } from '../consent/consent.ts';
import type { FolderRow, Row } from '../views/rows.ts';

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
  const folders = rows.filter(row => row.kind === 'folder');
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
  const button = isAllowed ? vscode.l10n.t('Allow') : vscode.l10n.t('Revoke');
  const question = isAllowed
    ? vscode.l10n.t('Allow {0} folders, each to the server it is listed below?', folders.length)
    : vscode.l10n.t('Revoke {0} folders, each from the server it is listed below?', folders.length);
  const options = { modal: true, detail: folders.map(lineFor).join('\n') };
  return (await vscode.window.showWarningMessage(question, options, button)) === button;
}

function lineFor({ server, access: { folder } }: FolderRow): string {
  return printable(`• ${server.definition.label}: ${folder.path ?? folder.uri}`);
}
