import type { FolderAccess } from '../domain/consent/folderAccess.ts';
import {
  type FolderStatus,
  folderStatus,
  formerStatus,
  readOnlyWord,
  statusMeaning,
  statusWords,
} from '../domain/consent/statusWords.ts';
import type { FolderNote } from '../domain/folders/folderNotes.ts';
import type { FolderOrigin } from '../domain/folders/folders.ts';
import { printable } from '../domain/printable.ts';
import { type Shown, shown } from '../domain/shown.ts';
import type { Server } from './servers/server.ts';
import { isShownOnly, localized, t, timeText } from './text.ts';

/** The server or extension that a folder is listed below, as far as the folder's text needs it. */
export type Situation = Pick<Server, 'isLive' | 'lastExposure'>;

/** The status of a folder with the server or client it is listed below. */
export function folderStatusOf(access: FolderAccess, situation: Situation): FolderStatus {
  return folderStatus(access, {
    isLive: situation.isLive,
    isKnown: knownSince(access.folder.uri, situation) !== undefined,
  });
}

/** The status of a folder in a word or two, for its row. */
export function shortStatus(status: FolderStatus): Shown {
  return shown(statusWords(status).map(localized).join(' · '));
}

/** Whether one server may see a folder, since when, and what is most to be known of it besides. */
export function folderText(access: FolderAccess, situation: Situation): string {
  const { folder, notes } = access;
  const status = statusText(access, situation);
  const note = notes.find(({ kind }) => kind === 'same-as') ?? notes[0];
  return [status, ...originText(folder.origin), ...(note ? [noteText(note)] : [])].join(' · ');
}

/** All that is to be known of a folder, a line each: its tooltip. Printable as it is. */
export function folderLines(access: FolderAccess, situation: Situation): string[] {
  const { folder } = access;
  const lines = [
    printable(folder.path ?? folder.uri),
    statusText(access, situation),
    ...originText(folder.origin),
    ...folderDetails(access),
  ];
  return [...new Set(lines)];
}

function statusText(access: FolderAccess, situation: Situation): string {
  const { exclusion, folder } = access;
  const since = knownSince(folder.uri, situation);
  const status = folderStatusOf(access, situation);
  if (!exclusion) {
    return rootText(status, situation, since);
  }
  return exclusion === 'denied' ? pastText(status, since) : localized(statusMeaning(status));
}

function pastText(status: FolderStatus, since: number | undefined): string {
  const meaning = localized(statusMeaning(status));
  return since === undefined ? meaning : t('{0} · was told at {1}', meaning, timeText(since));
}

/** Everything else to be known of a folder, a line each. */
export function folderDetails({ notes }: FolderAccess): string[] {
  return notes.flatMap(note =>
    note.kind === 'holds-forbidden'
      ? [t('It holds what must never be exposed: {0}', note.paths.map(printable).join(', '))]
      : [noteText(note)],
  );
}

/** The text on a root that the server knows and that is no candidate any more. */
export function formerText(uri: string, situation: Situation): string {
  return pastText(formerStatus, knownSince(uri, situation));
}

/** When the running server was told of a folder; `undefined` when its latest roots do not hold it. */
function knownSince(uri: string, { isLive, lastExposure }: Situation): number | undefined {
  return isLive && lastExposure?.roots.some(root => root.uri === uri) ? lastExposure.at : undefined;
}

function rootText(
  status: FolderStatus,
  { isLive, lastExposure }: Situation,
  since: number | undefined,
): string {
  const meaning = localized(statusMeaning(status));
  const text = status.isReadOnly ? `${meaning}, ${t(readOnlyWord)}` : meaning;
  if (!isLive) {
    return text;
  }
  if (since === undefined) {
    return t('{0} · not asked for yet', text);
  }
  if (lastExposure?.trigger.kind !== 'launch') {
    return t('{0} · asked {1}', text, timeText(since));
  }
  return isShownOnly(lastExposure)
    ? t('{0} · shown since {1}', text, timeText(since))
    : t('{0} · told at its start {1}', text, timeText(since));
}

function noteText(note: FolderNote): string {
  switch (note.kind) {
    case 'refused':
      return t('refused before');
    case 'replaced':
      return t('another folder took its place');
    case 'holds-forbidden':
      return t('holds what must never be exposed');
    case 'wide':
      return t('very wide');
    case 'same-as':
      return t('the same folder as {0}', printable(note.name));
    case 'inside':
      return t('inside {0}', printable(note.name));
    case 'contains':
      return t('contains {0}', printable(note.name));
  }
}

/** A folder of the workspace is expected and needs no words; any other says where it comes from. */
function originText(origin: FolderOrigin): string[] {
  switch (origin) {
    case 'workspace':
      return [];
    case 'extra':
      return [t('extra folder')];
    case 'picked':
      return [t('offered to this server')];
  }
}
