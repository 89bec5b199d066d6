import { type Sentence, sentence } from '../sentence.ts';

/** The word for how a folder stands with one that may see it: what a person is told at a glance. */
export type FolderWord =
  | Exclude<ExclusionReason, 'undecided'>
  /** The running server was told of it. */
  | 'exposed'
  /** The server would be told of it. */
  | 'allowed'
  | 'waiting'
  | 'not-asked'
  /** It was told of a folder that left the window. */
  | 'removed'
  /** It was never offered the folder. */
  | 'none';

/** The look of a folder with that word, in every view. */
export interface FolderWordRow {
  /** In a row, or in a cell. */
  readonly word: string;
  /** A sentence for where there is room; left out: the word says it. */
  readonly meaning?: string;
  /**
   * An icon of the editor, by its name. Where there is a checkbox, that says enough, and in a narrow
   * sidebar an icon takes the room of the words: only what waits for an answer has both.
   */
  readonly icon?: string;
  /** The folder is a root: its box is ticked. */
  readonly isRoot?: true;
  /** A color of the editor, by its name: of the icon, and of the cell. */
  readonly color?: string;
}

/** The words for a folder, with all that they look like. */
export const folderWords: Readonly<Record<FolderWord, FolderWordRow>> = {
  exposed: { word: 'exposed', isRoot: true, color: 'charts.green' },
  allowed: { word: 'allowed', isRoot: true },
  waiting: {
    word: 'waiting',
    meaning: 'waiting for your answer',
    icon: 'question',
    color: 'charts.yellow',
  },
  'not-asked': { word: 'not asked', meaning: 'not asked yet' },
  denied: { word: 'not allowed' },
  'not-offered': { word: 'not offered', meaning: 'not offered to this server' },
  forbidden: {
    word: 'never',
    meaning: 'never exposed: mcpRoots.neverExpose forbids it',
    icon: 'shield',
  },
  excluded: { word: 'left out', meaning: 'left out by mcpRoots.excludeFolders', icon: 'folder' },
  duplicate: { word: 'listed twice', icon: 'folder' },
  missing: { word: 'missing', meaning: 'missing on disk', icon: 'warning' },
  'not-a-directory': {
    word: 'a file',
    meaning: "can't be exposed: it is a file, not a folder",
    icon: 'warning',
  },
  unreadable: {
    word: 'unreadable',
    meaning: "can't be exposed: it can't be read",
    icon: 'warning',
  },
  'not-file': {
    word: 'not on disk',
    meaning: "can't be exposed: it is not on disk",
    icon: 'warning',
  },
  restricted: {
    word: 'restricted',
    meaning: "can't be exposed in Restricted Mode",
    icon: 'warning',
  },
  ruled: {
    word: 'by rule',
    meaning: 'not exposed: a rule of the editor forbids the server',
    icon: 'warning',
  },
  removed: { word: 'removed', meaning: 'removed from this window', icon: 'history' },
  none: { word: '–' },
};

/** The remark on a folder that may not be changed: after its word, or by itself. */
export const readOnlyWord = 'read only';

/** The remarks on a folder, which stand after its word in this order. */
export const folderRemarks = {
  isReadOnly: readOnlyWord,
  /** The server was told of something in the folder only. */
  isPart: 'in part',
  /** It was told of the folder while it might see it, and may not any more. */
  isStillKnown: 'still told',
  /** The answer was about another folder at the same place. */
  isReplaced: 'replaced',
} as const;

type Remark = keyof typeof folderRemarks;

/** The status of a folder for a server: a word, and remarks on it. */
export interface FolderStatus extends Readonly<Partial<Record<Remark, boolean>>> {
  readonly word: FolderWord;
}

/** The status of a root that a server knows, and that is no folder of the window any more. */
export const formerStatus: FolderStatus = { word: 'removed', isStillKnown: true };

/** The words for a status: the same wherever they are read. */
export function statusWords(status: FolderStatus): readonly Sentence[] {
  const remarks = (Object.keys(folderRemarks) as Remark[]).filter(remark => status[remark]);
  return [folderWords[status.word].word, ...remarks.map(remark => folderRemarks[remark])].map(
    text => sentence(text),
  );
}

/** The meaning of the word, for where there is room. */
export function statusMeaning({ word }: FolderStatus): Sentence {
  const row = folderWords[word];
  return sentence(row.meaning ?? row.word);
}

export interface StatusFacts {
  readonly isLive: boolean;
  /** It runs, and the roots that it was last told of hold the folder. */
  readonly isKnown: boolean;
}

/** The reason why a folder is no root for a server now. */
export type ExclusionReason =
  | 'not-file'
  | 'restricted'
  | 'ruled'
  | 'forbidden'
  | 'denied'
  | 'missing'
  | 'not-a-directory'
  | 'unreadable'
  | 'excluded'
  | 'duplicate'
  | 'not-offered'
  | 'undecided';

/** The part of the access to a folder that its word is taken from. Pages read this file, without Node's types. */
interface WordedAccess {
  readonly exclusion?: ExclusionReason;
  readonly isReadOnly?: boolean;
  readonly notes: readonly { readonly kind: string }[];
}

export function folderStatus(access: WordedAccess, facts: StatusFacts): FolderStatus {
  const { exclusion, isReadOnly = false } = access;
  const isExposed = !exclusion && facts.isKnown;
  return {
    word: isExposed ? 'exposed' : wordOf(exclusion, facts.isLive),
    isReadOnly: !exclusion && isReadOnly,
    isStillKnown: exclusion !== undefined && facts.isKnown,
    isReplaced: access.notes.some(({ kind }) => kind === 'replaced'),
  };
}

function wordOf(exclusion: ExclusionReason | undefined, isLive: boolean): FolderWord {
  switch (exclusion) {
    case undefined:
      return 'allowed';
    case 'undecided':
      return isLive ? 'waiting' : 'not-asked';
    default:
      return exclusion;
  }
}

/** The number of folders of one status from which on one row shows them all. */
const fewestAlike = 4;

/**
 * The folders in lists: those first that wait for an answer, each by itself. Of the others, those that
 * stand alike are together where they are many, at the place of the first; the rest are by themselves.
 */
export function foldAlike<T>(
  folders: readonly T[],
  statusOf: (folder: T) => FolderStatus,
): readonly (readonly [T, ...T[]])[] {
  const statuses = folders.map(folder => ({ folder, status: statusOf(folder) }));
  const waiting = statuses.filter(({ status }) => status.word === 'waiting');
  const settled = statuses.filter(one => !waiting.includes(one));
  const alike = new Map<string, [T, ...T[]]>();
  const lists = settled.map(({ folder, status }) => {
    const key = JSON.stringify(status);
    const list = alike.get(key);
    list?.push(folder);
    const own: [T, ...T[]] = list ?? [folder];
    alike.set(key, own);
    return { folder, list: own };
  });
  return [
    ...waiting.map(({ folder }) => [folder] as const),
    ...lists.flatMap(({ folder, list }): readonly (readonly [T, ...T[]])[] => {
      if (list.length < fewestAlike) {
        return [[folder]];
      }
      return list[0] === folder ? [list] : [];
    }),
  ];
}
