import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type DatedIdentity,
  deviceOf,
  isSameFile,
  isSamePlace,
  placeOf,
} from '../../base/fileIdentity.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import { isProtectedName } from '../../domain/paths/protectedPath.ts';
import { quotePath } from '../../domain/printable.ts';
import type { Outcome, Refusal } from '../paths/refusal.ts';
import { mountedTypes } from '../roots/disks.ts';
import { isName } from '../search/folderTree.ts';
import { refuseChange, refuseReadOnly, refuseWhileChanging, staysShared } from './reasons.ts';
import {
  type FileChange,
  inWritableFolder,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** A folder that a scan found: its path, and its identity. */
export interface ScannedFolder {
  readonly path: string;
  readonly identity: DatedIdentity;
}

/** All folders of a tree, each before its subfolders, and the number of all entries. */
interface FoundTree {
  readonly folders: readonly ScannedFolder[];
  readonly entries: number;
}

/**
 * Scans a folder before a move or a deletion. Refuses if the folder has a protected name, a root, a
 * mounted file system, or a name that is not UTF-8. Does not follow links.
 * @throws the reason of the signal when it is aborted.
 */
export async function scanTree(
  change: FileChange,
  top: ScannedFolder,
  signal: AbortSignal,
): Promise<Outcome<FoundTree>> {
  const folders = [top];
  // Only the list of mounts shows a bind mount of the same disk. There, its path is listed.
  const mounted = mountedTypes();
  if (mounted.has(top.path)) {
    return refuseMounted(change, top.path);
  }
  const slice = new TimeSlice(signal);
  let entries = 0;
  for (const folder of folders) {
    const scanned = inFoundFolder(change, folder, opened =>
      scanOne(change, opened, folder, mounted),
    );
    if (!scanned.ok) {
      return scanned;
    }
    for (const found of scanned.value.folders) {
      folders.push(found);
    }
    entries += scanned.value.entries;
    await slice.next();
  }
  return { ok: true, value: { folders, entries } };
}

/** Runs `work` with a folder that a scan found, if its path still leads to the same folder. */
export function inFoundFolder<T>(
  change: FileChange,
  { path, identity }: ScannedFolder,
  work: (folder: WritableFolder) => Outcome<T>,
): Outcome<T> {
  return inWritableFolder(change, { folder: path }, opened => {
    const now = statSync(opened.at('.'), { bigint: true });
    return isSameFile(identity, now) ? work(opened) : refuseWhileChanging(change.input);
  });
}

/** The refusal to move or delete a folder that is a root. `undefined`: the folder is not a root. */
export function refuseShared(
  { scope, input }: FileChange,
  identity: DatedIdentity,
): Refusal | undefined {
  // Compares inodes, because another path may lead to the root. `findEntry` compares the paths.
  const place = placeOf(identity);
  const root = scope.roots.find(one => isSamePlace(place, one.place) && !one.whyNot());
  return root && staysShared(input, root);
}

function scanOne(
  change: FileChange,
  opened: WritableFolder,
  { identity: { dev } }: ScannedFolder,
  mounted: ReadonlyMap<string, string>,
): Outcome<FoundTree> {
  const folders: ScannedFolder[] = [];
  const found = readdirSync(opened.at('.'), { withFileTypes: true });
  for (const entry of found) {
    const path = join(opened.path, entry.name);
    if (isProtectedName(entry.name, basename(opened.path))) {
      return refuseReadOnly(change.input, path);
    }
    if (!isName(opened, entry.name)) {
      const reason = `The name of an entry is not UTF-8, so this server cannot reach the entry: ${quotePath(path)}. Rename the entry first.`;
      return refuseChange(change.input, reason);
    }
    const isSilent = opened.root.silentOn(path) === path;
    const identity = entry.isDirectory() && !isSilent ? lookAt(opened.at(entry.name)) : undefined;
    const isMounted = isSilent || mounted.has(path);
    if (isMounted || (identity && deviceOf(identity) !== deviceOf({ dev }))) {
      return refuseMounted(change, path);
    }
    const refusal = identity && refuseShared(change, identity);
    if (refusal) {
      return refusal;
    }
    if (identity) {
      folders.push({ path, identity });
    }
  }
  return { ok: true, value: { folders, entries: found.length } };
}

function refuseMounted({ input }: FileChange, path: string): Refusal {
  return refuseChange(input, `A file system is mounted at ${quotePath(path)}: unmount it first.`);
}
