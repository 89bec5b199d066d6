import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whileBusy } from '../../base/busyFile.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { plainName, protectedName } from '../../domain/paths/protectedPath.ts';
import { isRootWithin, namesBelow } from '../../domain/paths/rootPaths.ts';
import { attempt } from '../paths/openInside.ts';
import { inTwoFolders, type Pin, type PinnedFolder, pinFor } from '../paths/pins.ts';
import { isInProc, whyNotProc } from '../paths/procFiles.ts';
import { type Outcome, outside } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import {
  makesRepository,
  reasonOf,
  refuseChange,
  refuseReadOnly,
  refuseWhileChanging,
} from './reasons.ts';

/** A change: the roots in force, the path that the client named, and the way to open folders. */
export interface FileChange {
  readonly scope: PathScope<RootFolder>;
  readonly input: string;
  readonly pin: Pin;
}

/** Returns a change at the path `input`. Opens and checks nothing. */
export function changeOf(
  scope: PathScope<RootFolder>,
  input: string,
  pin: Pin = pinFor(scope.platform),
): FileChange {
  return { scope, input, pin };
}

/** An entry of a folder in a root: the folder's path with all links followed, and the entry's own name. */
export interface FolderEntry {
  readonly folder: string;
  readonly name: string;
}

/** The entry at a path right now. Does not follow a link. `undefined`: there is no entry. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** A folder in a root that is open for a change in it. Reach its entries by `at`, never by `path`. */
export interface WritableFolder extends Pick<PinnedFolder, 'at'> {
  readonly path: string;
  readonly root: RootFolder;
  /**
   * Calls `make` with the path of the checked entry. If the folder then looks like a `.git`
   * folder, because another server made its other parts, calls `undo` and returns the reason.
   */
  add(make: (path: string) => void, undo: (path: string) => void): string | undefined;
}

/**
 * Opens a folder, and runs `work`, which must be synchronous, with the open folder. `folder` is a
 * real path from `locate`. Refuses a folder outside the roots, and a `.git` folder under any name,
 * with all folders in it. If there is a `name`, also refuses a protected entry.
 *
 * If a link takes the folder's place meanwhile, `work` still changes nothing outside the roots. A
 * system error in `work` becomes a refusal.
 */
export function inWritableFolder<T>(
  change: FileChange,
  { folder, name }: Pick<FolderEntry, 'folder'> & Partial<FolderEntry>,
  work: (folder: WritableFolder) => Outcome<T>,
): Outcome<T> {
  const run = (pinned: PinnedFolder) => {
    const opened = openWritable(change, pinned, name);
    return opened.ok ? tryWork(change, () => work(opened.value)) : opened;
  };
  // Drops the system's message, because nobody knows yet whether it describes something outside.
  return attempt(() => change.pin.inFolder(folder, run)) ?? refuseWhileChanging(change.input);
}

/** Like {@link inWritableFolder}, for an entry and its new place. The folders may be the same. */
export function inTwoWritableFolders<T>(
  [from, source]: readonly [FileChange, FolderEntry],
  [to, target]: readonly [FileChange, FolderEntry],
  work: (first: WritableFolder, second: WritableFolder) => Outcome<T>,
): Outcome<T> {
  const run = (first: PinnedFolder, second: PinnedFolder) => {
    const a = openWritable(from, first, source.name, true);
    const b = openWritable(to, second, target.name, true);
    if (!a.ok) {
      return a;
    }
    return b.ok ? tryWork(from, () => work(a.value, b.value)) : b;
  };
  return (
    attempt(() => inTwoFolders(from.pin, [source.folder, target.folder], run)) ??
    refuseWhileChanging(from.input)
  );
}

function openWritable(
  { scope, input }: FileChange,
  pinned: PinnedFolder,
  name = '.',
  isMoved = false,
): Outcome<WritableFolder> {
  const { where: path } = pinned;
  const at = (entry: string) => {
    pinned.recheck?.();
    return pinned.at(entry);
  };
  const root = scope.findReal(path);
  if (!root) {
    return outside(input, scope);
  }
  const stats = statSync(at('.'), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    return refuseChange(input, 'A part of the path is a file, not a folder.');
  }
  if (isInProc(at('.'), stats)) {
    return refuseChange(input, whyNotProc);
  }
  const readOnly =
    gitFolderOf({ at }, namesBelow(root, path, scope.platform)) ??
    protectedName(join(path, name), root, scope.platform) ??
    gitPlaceAt(join(path, name), root, scope, isMoved);
  if (readOnly !== undefined) {
    return refuseReadOnly(input, readOnly);
  }
  const reason = makesRepository(path);
  const plain = plainName(name);
  const isThere = (entry: string) => lookAt(at(entry)) !== undefined;
  const add: WritableFolder['add'] = (make, undo) => {
    make(at(name));
    // If two servers each make a part of a `.git` folder, the later server sees both parts.
    if (!completesGit(plain, entry => entry.toLowerCase() !== plain && isThere(entry))) {
      return undefined;
    }
    whileBusy(() => undo(at(name)));
    return reason;
  };
  return completesGit(plain, isThere)
    ? refuseChange(input, reason)
    : { ok: true, value: { path, root, at, add } };
}

/**
 * Returns the path from the root to a file or folder outside of `.git` that Git runs or reads, if a
 * change at `path` touches it. A move (`isMoved`) also touches everything below `path`.
 */
function gitPlaceAt(
  path: string,
  root: RootFolder,
  { roots, platform }: PathScope<RootFolder>,
  isMoved: boolean,
): string | undefined {
  const isIn = (path: string, folder: string) =>
    isRootWithin({ announced: path, real: path, foldsCase: root.foldsCase }, folder, platform);
  const repositories = [];
  for (let at = dirname(path); at !== root.real && isIn(at, root.real); at = dirname(at)) {
    repositories.push(...(lookAt(join(at, '.git')) ? [at] : []));
  }
  const place = root.git
    .of([...roots.map(({ real }) => real), ...repositories])
    .filter(one => isIn(one, root.real) && !isIn(root.real, one))
    .find(one => isIn(path, one) || (isMoved && isIn(one, path)));
  return place && namesBelow(root, place, platform).join('/');
}

function tryWork<T>({ input }: FileChange, work: () => Outcome<T>): Outcome<T> {
  try {
    return work();
  } catch (error) {
    return refuseChange(input, reasonOf(error));
  }
}

/**
 * The name of the innermost folder that looks like a `.git` folder: a bare repository, or the
 * target of a `.git` file or link. `names` lead from the root to the open folder, without the root.
 * The root may look like a `.git` folder, because a user who shares such a folder means it.
 */
function gitFolderOf(
  { at }: Pick<WritableFolder, 'at'>,
  names: readonly string[],
): string | undefined {
  let up = '';
  for (const name of names.toReversed()) {
    // Starts at the open folder, because the folder's path may now lead elsewhere.
    if (looksLikeGit(entry => lookAt(at(up + entry)) !== undefined)) {
      return name;
    }
    up += '../';
  }
  return undefined;
}

/** Whether an entry with this {@link plainName} would make the folder look like a `.git` folder. */
function completesGit(plain: string, isThere: (name: string) => boolean): boolean {
  return (
    ['head', 'objects', 'refs', 'commondir'].includes(plain) &&
    looksLikeGit(entry => entry.toLowerCase() === plain || isThere(entry)) &&
    !looksLikeGit(isThere)
  );
}

/**
 * Whether Git could take the folder for a `.git` folder, judged by names alone. Git only checks
 * that it has access to `objects` and `refs`, or to those of `commondir` (`is_git_directory`).
 */
function looksLikeGit(isThere: (name: string) => boolean): boolean {
  return isThere('HEAD') && (isThere('commondir') || (isThere('objects') && isThere('refs')));
}
