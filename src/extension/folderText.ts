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

/** The facts about a server that the texts on its folders need. */
export type Situation = Pick<Server, 'isLive' | 'lastExposure'>;

/** The status of a folder for the server above it in the tree. */
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

/** Whether a server may see a folder, since when, and the most important note on the folder. */
export function folderText(access: FolderAccess, situation: Situation): string {
  const { folder, notes } = access;
  const status = statusText(access, situation);
  const note = notes.find(({ kind }) => kind === 'same-as') ?? notes[0];
  return [status, ...originText(folder.origin), ...(note ? [noteText(note)] : [])].join(' · ');
}

/** The tooltip of a folder: all that is known about it, in one printable line for each fact. */
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
  return since === undefined ? meaning : t('{0} · was shared at {1}', meaning, timeText(since));
}

/** The notes on a folder, in one line each. */
export function folderDetails({ notes }: FolderAccess): string[] {
  return notes.flatMap(note =>
    note.kind === 'holds-forbidden'
      ? [
          t(
            'The folder contains paths on your never-expose list: {0}',
            note.paths.map(printable).join(', '),
          ),
        ]
      : [noteText(note)],
  );
}

/** The text on a root that the server knows, although its folder is no longer a candidate. */
export function formerText(uri: string, situation: Situation): string {
  return pastText(formerStatus, knownSince(uri, situation));
}

/** When the running server learned of a folder; `undefined` if its last roots lack the folder. */
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
    return t('{0} · the server has not asked yet', text);
  }
  if (lastExposure?.trigger.kind !== 'launch') {
    return t('{0} · the server asked at {1}', text, timeText(since));
  }
  return isShownOnly(lastExposure)
    ? t('{0} · mounted in the sandbox since {1}', text, timeText(since))
    : t('{0} · given when the server started at {1}', text, timeText(since));
}

function noteText(note: FolderNote): string {
  return t(noteTexts[note.kind], 'name' in note ? printable(note.name) : '');
}

const noteTexts: Readonly<Record<FolderNote['kind'], string>> = {
  refused: 'you refused this folder before',
  replaced: 'another folder took the place of this folder',
  'holds-forbidden': 'contains paths on your never-expose list',
  wide: 'very wide',
  'same-as': 'the same folder as {0}',
  inside: 'inside {0}',
  contains: 'contains {0}',
};

/** Where a folder comes from; empty for a workspace folder, which needs no explanation. */
function originText(origin: FolderOrigin): string[] {
  return origin === 'workspace' ? [] : [t(originTexts[origin])];
}

const originTexts = { extra: 'extra folder', picked: 'offered to this server' };
