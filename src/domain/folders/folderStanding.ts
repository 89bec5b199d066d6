import type { FolderAccess } from '../consent/access.ts';
import type { FolderNote } from './folderNotes.ts';

/** Whether an answer of the user changes how the folder stands: nothing stronger than it decides. */
export function isAnswerable({ leftOut }: Pick<FolderAccess, 'leftOut'>): boolean {
  return !leftOut || leftOut === 'denied' || leftOut === 'not-offered' || leftOut === 'undecided';
}

/** Whether allowing, or refusing, says something on the folder that was not said already. */
export function isNewAnswer(access: Pick<FolderAccess, 'leftOut'>, isAllowed: boolean): boolean {
  return isAnswerable(access) && access.leftOut !== (isAllowed ? undefined : 'denied');
}

/** Whether the folder is where another one was, which was allowed. */
export function isReplaced({ notes }: Pick<FolderAccess, 'notes'>): boolean {
  return notes.some(({ kind }) => kind === 'replaced');
}

/** The notes on a folder, those first that must not be overlooked. */
export function notesByWeight(notes: readonly FolderNote[]): readonly FolderNote[] {
  return [...notes].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

const order: readonly FolderNote['kind'][] = [
  'replaced',
  'holds-forbidden',
  'wide',
  'same-as',
  'inside',
  'contains',
];
