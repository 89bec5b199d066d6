import type { AccessWord } from '../access/accessWords.ts';
import { isReplaced } from '../folders/folderNotes.ts';
import type { FolderAccess } from './folderAccess.ts';

/** The word for a folder of a server: what a person is told of it at a glance. */
export type FolderWord = Exclude<AccessWord, 'removed' | 'none'>;

/** How a folder stands with a server. */
export interface FolderStanding {
  readonly word: FolderWord;
  readonly isReadOnly: boolean;
  /** The server was told of it while it might see it, and may not any more. */
  readonly isStillKnown: boolean;
  /** The answer was about another folder at the same place. */
  readonly isReplaced: boolean;
}

/** The server that a folder is listed below. */
export interface StandingFacts {
  readonly isLive: boolean;
  /** It runs, and the roots that it was last told of hold the folder. */
  readonly isKnown: boolean;
}

/** How a folder stands with a server. */
export function folderStanding(access: FolderAccess, facts: StandingFacts): FolderStanding {
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
  standingOf: (folder: T) => FolderStanding,
): readonly (readonly [T, ...T[]])[] {
  const standings = folders.map(folder => ({ folder, standing: standingOf(folder) }));
  const waiting = standings.filter(({ standing }) => standing.word === 'waiting');
  const settled = standings.filter(one => !waiting.includes(one));
  const alike = new Map<string, [T, ...T[]]>();
  const lists = settled.map(({ folder, standing }) => {
    const key = JSON.stringify(standing);
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
