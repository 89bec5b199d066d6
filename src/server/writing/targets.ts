import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSameFile } from '../../base/fileIdentity.ts';
import { protectedName } from '../../domain/paths/protectedPath.ts';
import { isAtOrBelow } from '../../domain/paths/rootPaths.ts';
import { type Located, locatePath } from '../paths/locate.ts';
import {
  invalid,
  missing,
  type Outcome,
  outside,
  type Refusal,
  silentDisk,
  unusable,
} from '../paths/refusal.ts';
import { lookAt } from './identity.ts';
import { refuseChange, refuseReadOnly, refuseWhileChanging, staysShared } from './reasons.ts';
import { refuseShared } from './scanTree.ts';
import {
  type FileChange,
  type FolderEntry,
  inWritableFolder,
  type WritableFolder,
} from './writableFolder.ts';

/** The real place of a write, every link followed. Nothing protected is on the way. */
export function findTarget(change: FileChange): Outcome<Located> {
  const written = readInput(change);
  if (!written.ok) {
    return written;
  }
  const found = locatePath(change.scope, written.value, change.input);
  if (!found.ok) {
    return found;
  }
  const { real, root } = found.value;
  const name = protectedName(real, root, change.scope.platform);
  return name === undefined ? found : refuseReadOnly(change.input, name);
}

/** The same for a file: where no folder is meant, as far as the path tells, and no root. */
export function findFile(change: FileChange): Outcome<Located> {
  const found = findTarget(change);
  if (!found.ok) {
    return found;
  }
  const { real, root } = found.value;
  if (real === root.real) {
    return refuseChange(change.input, 'It is a folder.');
  }
  return namesFolder(change)
    ? refuseChange(change.input, 'It ends as the path of a folder: name the file without that.')
    : found;
}

function namesFolder({ scope, input }: FileChange): boolean {
  const end = scope.platform === 'win32' ? /[\\/]\.{0,2}$/ : /\/\.{0,2}$/;
  return end.test(input);
}

/**
 * The present or future place of what is to be moved or deleted, itself: a link, and not what it leads to.
 * It is no root and holds none, and nothing protected is on the way as it is written. Its folder exists.
 */
export function findEntry(
  change: FileChange,
  { isNew }: { readonly isNew: boolean },
): Outcome<FolderEntry> {
  const { scope, input } = change;
  const written = readInput(change);
  if (!written.ok) {
    return written;
  }
  // Before the folder is looked for: that of a root lies outside.
  const shared = refuseRoot(change, written.value);
  if (shared) {
    return shared;
  }
  const folder = locatePath(scope, dirname(written.value), input);
  if (!folder.ok) {
    return folder;
  }
  if (!folder.value.exists) {
    const reason = 'Its folder does not exist: make that with create-directory.';
    return isNew ? refuseChange(input, reason) : missing(input);
  }
  const { real, root } = folder.value;
  const name = basename(written.value);
  const path = join(real, name);
  if (root.silentOn(path) === path) {
    return unusable(input, silentDisk);
  }
  return refuseRoot(change, path) ?? { ok: true, value: { folder: real, name } };
}

function refuseRoot({ scope, input }: FileChange, path: string): Refusal | undefined {
  const root = scope.roots.find(one => isAtOrBelow(one, path, scope.platform) && !one.whyNot());
  return root && staysShared(input, root);
}

/** The path as it is written, which lies in a root; nothing protected is in it. */
function readInput({ scope, input }: FileChange): Outcome<string> {
  const parsed = scope.parse(input);
  if (!parsed.ok) {
    return invalid(input, parsed.reason);
  }
  const root = scope.find(parsed.path);
  if (!root) {
    return outside(input, scope);
  }
  const name = protectedName(parsed.path, root, scope.platform);
  return name === undefined ? { ok: true, value: parsed.path } : refuseReadOnly(input, name);
}

/** An entry that is there, and may be moved or deleted as far as the entry itself is concerned. */
export interface ExistingEntry extends FolderEntry {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** Finds what is to be moved or deleted: a link itself, and not what it leads to. */
export function findExisting(change: FileChange): Outcome<ExistingEntry> {
  const entry = findEntry(change, { isNew: false });
  if (!entry.ok) {
    return entry;
  }
  return inWritableFolder(change, entry.value, opened => {
    const { name } = entry.value;
    const stats = lookAt(opened.at(name));
    const refusal = stats && refuseShared(change, stats);
    if (refusal) {
      return refusal;
    }
    const path = join(opened.path, name);
    return stats
      ? { ok: true, value: { folder: opened.path, name, path, stats } }
      : missing(change.input);
  });
}

/** The reason not to touch an entry that was found before its folder was held open. */
export function refuseOther(
  change: FileChange,
  opened: WritableFolder,
  { name, stats }: ExistingEntry,
): Refusal | undefined {
  const isSame = isSameFile(stats, lookAt(opened.at(name)));
  return isSame ? undefined : refuseWhileChanging(change.input);
}
