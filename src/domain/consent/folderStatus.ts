import { isReplaced } from '../folders/folderNotes.ts';
import type { FolderAccess } from './folderAccess.ts';
import type { FolderStatus, FolderWord } from './statusWords.ts';

/** The server that a folder is listed below. */
export interface StatusFacts {
  readonly isLive: boolean;
  /** It runs, and the roots that it was last told of hold the folder. */
  readonly isKnown: boolean;
}

/** How a folder stands with a server. */
export function folderStatus(access: FolderAccess, facts: StatusFacts): FolderStatus {
  const { exclusion, isReadOnly = false } = access;
  const isExposed = !exclusion && facts.isKnown;
  return {
    word: isExposed ? 'exposed' : wordOf(exclusion, facts.isLive),
    isReadOnly: !exclusion && isReadOnly,
    isStillKnown: exclusion !== undefined && facts.isKnown,
    isReplaced: isReplaced(access),
  };
}

function wordOf(exclusion: FolderAccess['exclusion'], isLive: boolean): FolderWord {
  switch (exclusion) {
    case undefined:
      return 'allowed';
    case 'undecided':
      return isLive ? 'waiting' : 'not-asked';
    default:
      return exclusion;
  }
}

/** How many folders that stand alike it takes to show them as one. */
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
