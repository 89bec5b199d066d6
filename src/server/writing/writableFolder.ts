import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whileBusy } from '../../base/busyFile.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { plainName, protectedName } from '../../domain/paths/protectedPath.ts';
import { isAtOrBelow, namesBelow } from '../../domain/paths/rootPaths.ts';
import { quotePath } from '../../domain/printable.ts';
import { attempt } from '../paths/openInside.ts';
import { inTwoFolders, type Pin, type PinnedFolder, pinFor } from '../paths/pins.ts';
import { isInProc, whyNotProc } from '../paths/procFiles.ts';
import { type Outcome, outside } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { lookAt } from './identity.ts';
import { reasonOf, refuseChange, refuseReadOnly, refuseWhileChanging } from './reasons.ts';

/** The terms by which a change is judged: the roots in force, and the path as it was given. */
export interface FileChange {
  readonly scope: PathScope<RootFolder>;
  readonly input: string;
  readonly pin: Pin;
}

/** Prepares a change of what `input` names. */
export function changeOf(
  scope: PathScope<RootFolder>,
  input: string,
  pin: Pin = pinFor(scope.platform),
): FileChange {
  return { scope, input, pin };
}

/** An entry of a folder in a root: the folder, every link followed, and a name in it, which is not. */
export interface FolderEntry {
  readonly folder: string;
  readonly name: string;
}

/** A folder in a root, held open for a change in it. Entries are reached by `at`, never by `path`. */
export interface WritableFolder extends Pick<PinnedFolder, 'at'> {
  readonly path: string;
  readonly root: RootFolder;
  /**
   * Makes the entry that the folder was opened for. Another server may have made a part of a repository
   * since that was looked at: if the folder now is one, the entry is undone, and the reason answered.
   */
  add(make: (path: string) => void, undo: (path: string) => void): string | undefined;
}

/**
 * Runs `work`, which must be synchronous, with a folder that is held open, if that lies in a root
 * and not in a folder of Git's, whatever that is called, and the entry is not protected. `folder` is
 * the path as `locate` found it; without a name, no entry is meant.
 *
 * Nothing outside is ever changed, wherever the path leads meanwhile. An error of the system within
 * `work` becomes a refusal.
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
  // The system's own words are kept back: until it is known what was opened, they may be about
  // something outside.
  return attempt(() => change.pin.inFolder(folder, run)) ?? refuseWhileChanging(change.input);
}

/** The same with two entries and their folders, which may be one. */
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
    return refuseChange(input, 'A part of it is a file, not a folder.');
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
  const repository = `With it, ${quotePath(path)} would be a repository to Git`;
  const reason = `${repository}, which runs what is written there: use another name.`;
  const plain = plainName(name);
  const isThere = (entry: string) => lookAt(at(entry)) !== undefined;
  const add: WritableFolder['add'] = (make, undo) => {
    make(at(name));
    // Of two that make a part each, whoever is later sees both.
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
 * What Git runs or reads outside of `.git`, by its path below the root, if `path` is or lies in that. With what
 * is moved it would come along, so then also if it lies in `path`, whether or not it exists.
 */
function gitPlaceAt(
  path: string,
  root: RootFolder,
  { roots, platform }: PathScope<RootFolder>,
  isMoved: boolean,
): string | undefined {
  const isIn = (path: string, folder: string) =>
    isAtOrBelow({ announced: path, real: path, foldsCase: root.foldsCase }, folder, platform);
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
 * The innermost of the folders in a root that looks as what Git keeps in `.git`, which may have any
 * name: a bare repository, or where a `.git` file or link leads to. `names` are those of a writable
 * folder and of the folders above it, below the root, outermost first. The root itself may be one: a
 * user who shares that means it.
 */
function gitFolderOf(
  { at }: Pick<WritableFolder, 'at'>,
  names: readonly string[],
): string | undefined {
  let up = '';
  for (const name of names.toReversed()) {
    // From the folder that is held, so that a path that leads elsewhere by now gains nothing.
    if (looksLikeGit(entry => lookAt(at(up + entry)) !== undefined)) {
      return name;
    }
    up += '../';
  }
  return undefined;
}

/** Whether an entry of that plain name is all that a folder lacks to look as what Git keeps in `.git`. */
function completesGit(plain: string, isThere: (name: string) => boolean): boolean {
  return (
    ['head', 'objects', 'refs', 'commondir'].includes(plain) &&
    looksLikeGit(entry => entry.toLowerCase() === plain || isThere(entry)) &&
    !looksLikeGit(isThere)
  );
}

/**
 * By what Git itself looks for, and never by less (`is_git_directory`): it takes anything for
 * `objects` and `refs` that it may enter or run, and has them elsewhere where `commondir` says so.
 */
function looksLikeGit(isThere: (name: string) => boolean): boolean {
  return isThere('HEAD') && (isThere('commondir') || (isThere('objects') && isThere('refs')));
}
