import { type Sentence, sentence } from '../sentence.ts';

/** The word for a folder's status with a server or client, to be read at a glance. */
export type FolderWord =
  | Exclude<ExclusionReason, 'undecided'>
  /** The running server knows this root. */
  | 'exposed'
  /** The folder is a root, but the server is not running or does not know it. */
  | 'allowed'
  | 'waiting'
  | 'not-asked'
  /** The folder left the window, after it was shared. */
  | 'removed'
  /** The folder was never offered to the server. */
  | 'none';

/** How a folder with this word looks, in every view. */
export interface FolderWordRow {
  /** The short word, for a row or a cell. */
  readonly word: string;
  /** A sentence for places with room. If left out, `word` stands there, too. */
  readonly meaning?: string;
  /**
   * The name of one of the editor's icons. Most statuses have no icon: the checkbox says enough,
   * and a narrow sidebar has little room. A folder that waits for an answer has both.
   */
  readonly icon?: string;
  /** The folder is a root: its box is ticked. */
  readonly isRoot?: true;
  /** The name of one of the editor's colors, for the icon and the cell. */
  readonly color?: string;
}

/** The words for a folder, and how each looks. */
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
    meaning: 'never exposed, because the list mcpRoots.neverExpose has the folder',
    icon: 'shield',
  },
  excluded: { word: 'left out', meaning: 'left out by mcpRoots.excludeFolders', icon: 'folder' },
  duplicate: { word: 'listed twice', icon: 'folder' },
  missing: { word: 'missing', meaning: 'missing on disk', icon: 'warning' },
  'not-a-directory': {
    word: 'a file',
    meaning: "can't be exposed, because the path is a file",
    icon: 'warning',
  },
  unreadable: {
    word: 'unreadable',
    meaning: "can't be exposed, because the folder can't be read",
    icon: 'warning',
  },
  'not-file': {
    word: 'not on disk',
    meaning: "can't be exposed, because the folder is not on disk",
    icon: 'warning',
  },
  restricted: {
    word: 'restricted',
    meaning: "can't be exposed in Restricted Mode",
    icon: 'warning',
  },
  ruled: {
    word: 'by rule',
    meaning: 'not exposed, because a rule of the editor forbids the server',
    icon: 'warning',
  },
  removed: { word: 'removed', meaning: 'removed from this window', icon: 'history' },
  none: { word: '–' },
};

/** The remark on a read-only folder. It follows the folder's word, or stands alone. */
export const readOnlyWord = 'read only';

/** The remarks on a folder. They follow its word in this order. */
export const folderRemarks = {
  isReadOnly: readOnlyWord,
  /** The server knows only a part of the folder. */
  isPart: 'in part',
  /** The server received the folder while it was allowed. The folder is no longer allowed. */
  isStillKnown: 'still known',
  /** The answer was about another folder that was in the same place. */
  isReplaced: 'replaced',
} as const;

type Remark = keyof typeof folderRemarks;

/** The status of a folder for a server: a word, and remarks. */
export interface FolderStatus extends Readonly<Partial<Record<Remark, boolean>>> {
  readonly word: FolderWord;
}

/** The status of a folder that left the window while a server still has it as a root. */
export const formerStatus: FolderStatus = { word: 'removed', isStillKnown: true };

/** The texts for a status, the same in every view. */
export function statusWords(status: FolderStatus): readonly Sentence[] {
  const remarks = (Object.keys(folderRemarks) as Remark[]).filter(remark => status[remark]);
  return [folderWords[status.word].word, ...remarks.map(remark => folderRemarks[remark])].map(
    text => sentence(text),
  );
}

/** The meaning of the word, for places with room. */
export function statusMeaning({ word }: FolderStatus): Sentence {
  const row = folderWords[word];
  return sentence(row.meaning ?? row.word);
}

export interface StatusFacts {
  readonly isLive: boolean;
  /** The server is running, and the last roots it received contain the folder. */
  readonly isKnown: boolean;
}

/** Why a folder is not a root of a server now. */
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

/** The facts behind a folder's word. Pages import this file, so it must not use Node's types. */
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

/** If this many folders or more share a status, a single row shows them all. */
const fewestAlike = 4;

/**
 * Groups folders into rows. Each folder that waits for an answer comes first, in its own row. Other
 * folders share a row if many have the same status. The row stands where the first of them was.
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
