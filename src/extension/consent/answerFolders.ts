import { isAnswerable, isNewAnswer } from '../../domain/consent/folderAccess.ts';
import { readOnlyWord } from '../../domain/consent/statusWords.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import { type FolderRow, foldersIn, type ViewRow } from '../rows.ts';
import type { Confirmation } from '../screen.ts';
import { t } from '../text.ts';
import type { Consent } from './consent.ts';

/**
 * Stores the same answer for all folders in these rows, for this workspace. If there are several
 * folders, the user first confirms the answer in one question.
 *
 * @throws {HumanError} when the answer would change no folder.
 */
export async function answerFolders(
  consent: Pick<Consent, 'set' | 'screen'>,
  rows: readonly ViewRow[],
  isAllowed: boolean,
): Promise<void> {
  const folders = foldersIn(rows);
  const open = folders.filter(({ access }) => isNewAnswer(access, isAllowed));
  if (open.length === 0) {
    throw new HumanError(nothingToDo(folders, isAllowed));
  }
  if (open.length > 1 && !(await consent.screen.confirm(...questionOn(open, isAllowed)))) {
    return;
  }
  // One after the other, because an answer on a folder may need a second question.
  for (const { server, access } of open) {
    await consent.set(server, access.folder, isAllowed);
  }
}

function nothingToDo(folders: readonly FolderRow[], isAllowed: boolean): string {
  if (folders.length === 0) {
    return 'Select folders in the view "Servers" first.';
  }
  if (!folders.some(({ access }) => isAnswerable(access))) {
    return "Your answer can't change the state of these folders. The row of each folder says why.";
  }
  return isAllowed ? 'These folders are allowed already.' : 'None of these folders is allowed.';
}

function questionOn(folders: readonly FolderRow[], isAllowed: boolean): Confirmation {
  const question = isAllowed
    ? t('Allow {0} folders for the servers below?', folders.length)
    : t('Revoke {0} folders from the servers below?', folders.length);
  const detail = shown(folders.map(row => lineFor(row, isAllowed)).join('\n'));
  return [question, detail, isAllowed ? t('Allow') : t('Revoke')];
}

function lineFor({ server, access }: FolderRow, isAllowed: boolean): string {
  const { folder, isReadOnly } = access;
  const line = printable(`• ${server.definition.label}: ${folder.path ?? folder.uri}`);
  return isAllowed && isReadOnly ? `${line} (${t(readOnlyWord)})` : line;
}
