import type { BigIntStats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSameFile } from '../../base/fileIdentity.ts';
import { protectedName } from '../../domain/paths/protectedPath.ts';
import { isRootWithin } from '../../domain/paths/rootPaths.ts';
import { type Located, locatePath } from '../paths/locate.ts';
import { notThere } from '../paths/openInside.ts';
import {
  invalid,
  isFolder,
  type Outcome,
  outside,
  type Refusal,
  silentDisk,
  unusable,
} from '../paths/refusal.ts';
import { refuseChange, refuseReadOnly, refuseWhileChanging, staysShared } from './reasons.ts';
import { refuseShared } from './scanTree.ts';
import {
  type FileChange,
  type FolderEntry,
  inWritableFolder,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** Returns the real path to write at. Refuses a protected name in it, or in the path as written. */
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

/** {@link findTarget} for a file. Also refuses a root, and a path that ends in a slash or a dot. */
export function findFile(change: FileChange): Outcome<Located> {
  const found = findTarget(change);
  if (!found.ok) {
    return found;
  }
  const { real, root } = found.value;
  if (real === root.real) {
    return refuseChange(change.input, isFolder);
  }
  return namesFolder(change) ? refuseChange(change.input, endsAsFolder) : found;
}

const endsAsFolder = 'The path of a file must not end in a slash or a dot. Leave out this end.';

function namesFolder({ scope, input }: FileChange): boolean {
  const end = scope.platform === 'win32' ? /[\\/]\.{0,2}$/ : /\/\.{0,2}$/;
  return end.test(input);
}

/**
 * Returns the folder and the name of an entry to move or delete, or of a move's target (`isNew`).
 * If the entry is a link, does not follow the link. Refuses a root, a folder that contains a root,
 * a protected name in the path as written, and an entry in a missing folder.
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
  // Checked before the folder is located, because the folder above a root lies outside.
  const shared = refuseRoot(change, written.value);
  if (shared) {
    return shared;
  }
  const folder = locatePath(scope, dirname(written.value), input);
  if (!folder.ok) {
    return folder;
  }
  if (!folder.value.exists) {
    const reason = 'The parent folder does not exist. Create it with create-directory.';
    return isNew ? refuseChange(input, reason) : notThere(scope, input, folder.value);
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
  const root = scope.roots.find(one => isRootWithin(one, path, scope.platform) && !one.whyNot());
  return root && staysShared(input, root);
}

/** The path as written, if the path lies in a root and has no protected name. */
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

/** An existing entry that may be moved or deleted itself. Its contents have not been checked. */
export interface ExistingEntry extends FolderEntry {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** Finds an entry to move or delete. Does not follow a link. */
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
      : notThere(change.scope, change.input, { there: opened.path, real: path });
  });
}

/** The refusal if the name now means another entry. `undefined`: the entry is the same. */
export function refuseOther(
  change: FileChange,
  opened: WritableFolder,
  { name, stats }: ExistingEntry,
): Refusal | undefined {
  const isSame = isSameFile(stats, lookAt(opened.at(name)));
  return isSame ? undefined : refuseWhileChanging(change.input);
}
