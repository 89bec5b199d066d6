import { l10n } from 'vscode';
import type { FolderAccess } from '../domain/consent/access.ts';
import type { Exposure } from '../domain/exposure.ts';
import type { FolderNote } from '../domain/folders/folderNotes.ts';
import { notesByWeight } from '../domain/folders/folderStanding.ts';
import type { FolderOrigin } from '../domain/folders/folders.ts';
import { printable } from '../domain/printable.ts';
import { timeText } from './text.ts';

/** What a folder's standing depends on besides the folder: whether the server runs, and what it knows. */
export interface Situation {
  readonly isLive: boolean;
  readonly told: Exposure | undefined;
  /** Whether only a restart brings the server what it was not told yet. */
  readonly needsRestart?: boolean;
}

/** How one folder stands towards a server, in words a person understands at a glance. */
export function folderText(access: FolderAccess, situation: Situation): string {
  const { leftOut, folder, notes } = access;
  if (leftOut === 'duplicate') {
    return duplicateText(notes);
  }
  const status = leftOut
    ? leftOutText(leftOut, situation, knownSince(folder.uri, situation))
    : rootText(situation, knownSince(folder.uri, situation));
  const [note] = notesByWeight(notes);
  return [status, ...originText(folder.origin), ...(note ? [noteText(note)] : [])].join(' · ');
}

/** Everything there is to say on a folder besides how it stands, a line each. */
export function folderDetails({ notes }: FolderAccess): string[] {
  return notesByWeight(notes).flatMap(note =>
    note.kind === 'holds-forbidden'
      ? [l10n.t('It holds what must never be exposed: {0}', note.paths.map(printable).join(', '))]
      : [noteText(note)],
  );
}

/** Since when a server knows a root that is no candidate any more. */
export function formerText(uri: string, situation: Situation): string {
  const since = knownSince(uri, situation);
  return since === undefined
    ? l10n.t('removed, but was told')
    : l10n.t('removed, but was told at {0}', timeText(since));
}

/** When the server that runs was told of a folder; `undefined` when it was not, as far as it knows now. */
function knownSince(uri: string, { told, isLive }: Situation): number | undefined {
  return isLive && told?.roots.some(root => root.uri === uri) ? told.at : undefined;
}

function rootText({ isLive, told, needsRestart }: Situation, since: number | undefined): string {
  if (!isLive) {
    return l10n.t('allowed');
  }
  if (since === undefined) {
    return needsRestart
      ? l10n.t('allowed · restart to tell it')
      : l10n.t('allowed · not asked for yet');
  }
  return told?.trigger.kind === 'launch'
    ? l10n.t('exposed · told at its start {0}', timeText(since))
    : l10n.t('exposed · asked {0}', timeText(since));
}

function leftOutText(
  leftOut: Exclude<FolderAccess['leftOut'], undefined | 'duplicate'>,
  { isLive }: Situation,
  since: number | undefined,
): string {
  switch (leftOut) {
    case 'undecided':
      return isLive ? l10n.t('waiting for your answer') : l10n.t('not asked yet');
    case 'denied':
      return since === undefined
        ? l10n.t('not allowed')
        : l10n.t('not allowed · was told at {0}', timeText(since));
    case 'not-offered':
      return l10n.t('not offered to this server');
    case 'forbidden':
      return l10n.t('never exposed: mcpRoots.neverExpose forbids it');
    case 'excluded':
      return l10n.t('left out by mcpRoots.excludeFolders');
    case 'missing':
      return l10n.t('missing on disk');
    case 'not-a-directory':
      return l10n.t("can't be exposed: it is a file, not a folder");
    case 'unreadable':
      return l10n.t("can't be exposed: it can't be read");
    case 'not-file':
      return l10n.t("can't be exposed: it is not on disk");
    case 'restricted':
      return l10n.t("can't be exposed in Restricted Mode");
  }
}

function duplicateText(notes: readonly FolderNote[]): string {
  const twin = notes.find(({ kind }) => kind === 'same-as');
  return twin ? noteText(twin) : l10n.t('the same as another folder');
}

function noteText(note: FolderNote): string {
  switch (note.kind) {
    case 'replaced':
      return l10n.t('another folder took its place');
    case 'holds-forbidden':
      return l10n.t('holds what must never be exposed');
    case 'wide':
      return l10n.t('very wide');
    case 'same-as':
      return l10n.t('the same folder as {0}', printable(note.name));
    case 'inside':
      return l10n.t('inside {0}', printable(note.name));
    case 'contains':
      return l10n.t('contains {0}', printable(note.name));
  }
}

/** Folders of the workspace are what a person expects; the others say where they come from. */
function originText(origin: FolderOrigin): string[] {
  switch (origin) {
    case 'workspace':
      return [];
    case 'extra':
      return [l10n.t('extra folder')];
    case 'picked':
      return [l10n.t('offered to this server')];
  }
}
