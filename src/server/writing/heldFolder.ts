import { statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalStart } from '../../domain/paths/pathInput.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { protectedName } from '../../domain/paths/protectedPath.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { inTwoFolders, type Pin, type PinnedFolder, pinFor } from '../paths/pins.ts';
import { type Outcome, outside, type Refusal } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { gitFolderOf } from './gitFolder.ts';
import { changing, codeOf, readOnly, reasonOf, unchanged } from './reasons.ts';

/** What a change is judged by: the roots in force, and the path as it was given. */
export interface Change {
  readonly scope: PathScope<RootFolder>;
  readonly input: string;
  readonly pin: Pin;
}

/** Prepares a change of what `input` names. */
export function changeOf(
  scope: PathScope<RootFolder>,
  input: string,
  pin: Pin = pinFor(scope.platform),
): Change {
  return { scope, input, pin };
}

/** A folder in a root, held open for a change in it. Entries are reached by `at`, never by `path`. */
export interface HeldFolder extends Pick<PinnedFolder, 'at'> {
  readonly path: string;
  readonly root: RootFolder;
}

/**
 * Runs `work`, which must be synchronous, with a folder that is held open, if that lies in a root
 * and is in none of Git's.
 *
 * Nothing outside is ever changed, wherever the path leads meanwhile. What the system refuses to
 * `work` is a refusal, too.
 */
export function inHeldFolder<T>(
  change: Change,
  real: string,
  work: (folder: HeldFolder) => Outcome<T>,
): Outcome<T> {
  return attempt(change, () =>
    change.pin.inFolder(real, pinned => {
      const held = hold(change, pinned);
      return held.ok ? tryWork(change, () => work(held.value)) : held;
    }),
  );
}

/** The same with two folders, which may be one. */
export function inTwoHeldFolders<T>(
  change: Change,
  reals: readonly [string, string],
  work: (first: HeldFolder, second: HeldFolder) => Outcome<T>,
): Outcome<T> {
  return attempt(change, () =>
    inTwoFolders(change.pin, reals, (first, second) => {
      const [a, b] = [hold(change, first), hold(change, second)];
      if (!a.ok) {
        return a;
      }
      return b.ok ? tryWork(change, () => work(a.value, b.value)) : b;
    }),
  );
}

/** Why the entry of a folder may not be changed, by where the folder really is. */
export function refuseProtected(
  { scope, input }: Change,
  { path, root }: Pick<HeldFolder, 'path' | 'root'>,
  name: string,
): Refusal | undefined {
  const found = protectedName(join(path, name), root, scope.platform);
  return found === undefined ? undefined : readOnly(input, found);
}

function hold({ scope, input }: Change, pinned: PinnedFolder): Outcome<HeldFolder> {
  const path = canonicalStart(pinned.where, scope.platform);
  const at = (name: string) => {
    pinned.recheck?.();
    return pinned.at(name);
  };
  const root = scope.findReal(path);
  if (!root) {
    return outside(input, scope);
  }
  if (!statSync(at('.'), { throwIfNoEntry: false })?.isDirectory()) {
    return unchanged(input, 'A part of it is a file, not a folder.');
  }
  const git = gitFolderOf({ at }, namesBelow(root, path, scope.platform));
  return git === undefined ? { ok: true, value: { path, root, at } } : readOnly(input, git);
}

function tryWork<T>({ input }: Change, work: () => Outcome<T>): Outcome<T> {
  try {
    return work();
  } catch (error) {
    return unchanged(input, reasonOf(error));
  }
}

// The system's own words are kept back here: until it is known what was opened, they may be about
// something outside.
function attempt<T>({ input }: Change, work: () => Outcome<T>): Outcome<T> {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === undefined) {
      throw error;
    }
    return changing(input);
  }
}
