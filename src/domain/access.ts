import type { Folder } from './folders.ts';
import type { Decision } from './grants.ts';
import { type Root, toRoots } from './roots.ts';

/** Why a folder is no root for a server now. */
export type LeftOut =
  | 'not-file'
  | 'restricted'
  | 'denied'
  | 'missing'
  | 'not-a-directory'
  | 'unreadable'
  | 'undecided';

/** How one folder stands towards one server: either a root or a reason, never both. */
export type FolderAccess =
  | { readonly folder: Folder; readonly root: Root; readonly leftOut?: undefined }
  | { readonly folder: Folder; readonly root?: undefined; readonly leftOut: LeftOut };

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

/** The folders' access for one server, in folder order: folders ∩ grants ∩ on disk ∩ `file:` ∩ trusted. */
export function accessTo(
  folders: readonly Folder[],
  isTrusted: boolean,
  decisionOn: (folder: Folder) => Decision,
): Access {
  const reasons = folders.map(folder => reasonToLeaveOut(folder, isTrusted, decisionOn(folder)));
  const roots = toRoots(folders.filter((_, index) => !reasons[index]));
  const rootOf = new Map(roots.map(root => [root.uri, root]));
  return {
    folders: folders.map((folder, index) => folderAccess(folder, reasons[index], rootOf)),
    roots,
    waiting: folders.filter((_, index) => reasons[index] === 'undecided'),
    isRefused: reasons.includes('denied') && reasons.every(reason => neverARoot(reason)),
  };
}

function folderAccess(
  folder: Folder,
  reason: LeftOut | undefined,
  rootOf: ReadonlyMap<string, Root>,
): FolderAccess {
  const root = rootOf.get(folder.uri);
  return root && !reason ? { folder, root } : { folder, leftOut: reason ?? 'undecided' };
}

function reasonToLeaveOut(
  folder: Folder,
  isTrusted: boolean,
  decision: Decision,
): LeftOut | undefined {
  if (folder.path === undefined) {
    return 'not-file';
  }
  if (!isTrusted) {
    return 'restricted';
  }
  // A refusal outlives the folder: it is said even where there is nothing on disk to refuse.
  if (decision === 'denied') {
    return 'denied';
  }
  if (folder.disk !== 'directory') {
    return folder.disk;
  }
  return decision === 'allowed' ? undefined : 'undecided';
}

function neverARoot(reason: LeftOut | undefined): boolean {
  return reason === 'denied' || reason === 'not-file';
}

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

/** The next step on the way to a start. */
export function startStep({ folders, waiting }: Access): StartStep {
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
  return waiting.length > 0 ? 'ask' : 'start';
}

/** Whether a server may start with the window: the user agreed to a folder, and nobody is asked. */
export function startsByItself({ roots }: Access): boolean {
  return roots.length > 0;
}
