import { type FolderNote, overlapNotes } from '../folders/folderNotes.ts';
import { isAnswerable } from '../folders/folderStanding.ts';
import type { Folder } from '../folders/folders.ts';
import { type Root, toRoots } from '../roots.ts';
import { type AccessTerms, type FolderStanding, type LeftOut, standingsOf } from './standings.ts';

export type { AccessTerms, LeftOut };

/** How one folder stands towards one server: either a root or a reason, never both. */
export type FolderAccess = {
  readonly folder: Folder;
  /** What a person should know of it besides; nothing in Restricted Mode and off the disk. */
  readonly notes: readonly FolderNote[];
} & (
  | { readonly root: Root; readonly leftOut?: undefined }
  | { readonly root?: undefined; readonly leftOut: LeftOut }
);

/** What one server may see of all folders, and what that asks of the user. */
export interface Access {
  readonly folders: readonly FolderAccess[];
  /** The visible roots. Empty means no access, never "all". */
  readonly roots: readonly Root[];
  /** Folders the user has not decided on yet. */
  readonly waiting: readonly Folder[];
  /** The user said no to every folder there is: the server is not even told that roots exist. */
  readonly isRefused: boolean;
}

/**
 * The folders' access for one server, in folder order: folders ∩ rules ∩ grants ∩ on disk ∩ `file:`
 * ∩ trusted, each folder once. No answer overrules a rule.
 */
export function accessTo(folders: readonly Folder[], terms: AccessTerms): Access {
  const standings = standingsOf(folders, terms);
  const roots = toRoots(standings.filter(({ leftOut }) => !leftOut).map(({ folder }) => folder));
  const rootOf = new Map(roots.map(root => [root.uri, root]));
  const possible = terms.isTrusted ? standings.filter(isAnswerable) : [];
  const overlaps = overlapNotes(possible.map(({ folder }) => folder));
  const reasons = standings.map(({ leftOut }) => leftOut);
  return {
    folders: standings.map(standing =>
      folderAccess(standing, rootOf, overlaps.get(standing.folder) ?? []),
    ),
    roots,
    waiting: standings.filter(({ leftOut }) => leftOut === 'undecided').map(({ folder }) => folder),
    isRefused: reasons.includes('denied') && reasons.every(reason => neverARoot(reason)),
  };
}

/** The visible roots, each with which folder it is: another one in its place is not meant. */
export function identifiedRoots({ folders }: Access): Root[] {
  return folders.flatMap(({ root, folder: { place } }) =>
    root ? { ...root, ...(place !== undefined && { folder: place }) } : [],
  );
}

function folderAccess(
  { folder, leftOut, notes }: FolderStanding,
  rootOf: ReadonlyMap<string, Root>,
  overlaps: readonly FolderNote[],
): FolderAccess {
  const root = rootOf.get(folder.uri);
  const all = [...notes, ...overlaps];
  return root && !leftOut
    ? { folder, root, notes: all }
    : { folder, leftOut: leftOut ?? 'undecided', notes: all };
}

function neverARoot(reason: LeftOut | undefined): boolean {
  return reason !== undefined && unasked.has(reason);
}

/** Reasons that an answer of the user gave, or that no answer is asked to change. */
const unasked: ReadonlySet<LeftOut> = new Set([
  'denied',
  'not-file',
  'forbidden',
  'excluded',
  'duplicate',
  'not-offered',
] as const);

/** What a running server needs, besides being told, once its access has changed. */
export type AccessEffect = 'stop' | 'restart' | 'none';

/**
 * What to do with a running server now that it may see `next`.
 *
 * Losing the last root stops it: many servers keep their old folders when told of none.
 * One that was refused the capability can learn of roots only by starting anew.
 */
export function accessEffect(
  offered: readonly Root[] | undefined,
  next: readonly Root[],
): AccessEffect {
  if (offered === undefined) {
    return next.length > 0 ? 'restart' : 'none';
  }
  return offered.length > 0 && next.length === 0 ? 'stop' : 'none';
}

/** What stands before a start: nothing, a question to the user, or a reason why it can't be. */
export type StartStep = 'start' | 'ask' | 'no-folder' | 'restricted' | 'virtual';

/** The next step on the way to a start, which the user has agreed to already or not. */
export function startStep({ folders, waiting }: Access, isLaunchAllowed: boolean): StartStep {
  const reasons = folders.map(({ leftOut }) => leftOut);
  if (folders.length === 0) {
    return 'no-folder';
  }
  if (reasons.includes('restricted')) {
    return 'restricted';
  }
  if (reasons.every(reason => reason === 'not-file')) {
    return 'virtual';
  }
  return waiting.length > 0 || !isLaunchAllowed ? 'ask' : 'start';
}

/** Whether a server may start with the window: the user agreed to that and to a folder; nobody is asked. */
export function startsByItself({ roots }: Access, isLaunchAllowed: boolean): boolean {
  return isLaunchAllowed && roots.length > 0;
}
