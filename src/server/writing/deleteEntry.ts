import { type Dirent, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf } from '../../base/messageOf.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import { isProtectedName } from '../../domain/paths/protectedPath.ts';
import { quotePath } from '../../domain/printable.ts';
import { type FileType, fileTypeOf } from '../listing/entries.ts';
import type { Outcome, Refusal } from '../paths/refusal.ts';
import type { LongCall } from '../runningCall.ts';
import { reasonOf, refuseChange, refuseReadOnly } from './reasons.ts';
import { inFoundFolder, type ScannedFolder, scanTree } from './scanTree.ts';
import { type ExistingEntry, findExisting, refuseOther } from './targets.ts';
import { type FileChange, inWritableFolder, type WritableFolder } from './writableFolder.ts';

/** A deleted entry. */
interface DeletedEntry {
  readonly path: string;
  readonly type: FileType;
  /** The number of deleted entries: the entry, and everything in it. */
  readonly entries: number;
}

/**
 * Deletes the entry that a change names. Deletes a link, not its target. Deletes a folder with
 * entries only if `isRecursive`.
 * @throws the reason of the signal when it is aborted; entries deleted before that stay deleted.
 */
export async function deleteEntry(
  change: FileChange,
  { isRecursive }: { readonly isRecursive: boolean },
  call: Omit<LongCall, 'scope'>,
): Promise<Outcome<DeletedEntry>> {
  const found = findExisting(change);
  if (!found.ok) {
    return found;
  }
  const { path, stats } = found.value;
  const hasTree = isRecursive && stats.isDirectory();
  const emptied = hasTree ? await emptyTree(change, { path, identity: stats }, call) : undefined;
  if (emptied && !emptied.ok) {
    return emptied;
  }
  call.signal.throwIfAborted();
  const deleted = deleteOne(change, found.value);
  const entries = 1 + (emptied?.value ?? 0);
  return deleted.ok ? { ok: true, value: { path, type: fileTypeOf(stats), entries } } : deleted;
}

function deleteOne(change: FileChange, entry: ExistingEntry): Outcome<void> {
  return inWritableFolder(change, entry, opened => {
    const refusal = refuseOther(change, opened, entry);
    if (refusal) {
      return refusal;
    }
    try {
      remove(opened.at(entry.name), entry.stats.isDirectory());
      return { ok: true, value: undefined };
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY') {
        throw error;
      }
      const reason = 'The folder is not empty: set recursive to delete everything in it.';
      return refuseChange(change.input, reason);
    }
  });
}

function remove(path: string, isFolder: boolean): void {
  if (isFolder) {
    rmdirSync(path);
  } else {
    unlinkSync(path);
  }
}

/**
 * Deletes the contents of a folder, and returns the number of deleted entries. First looks for
 * entries that must stay. If there are any, deletes nothing. Keeps each folder open while it
 * deletes the folder's entries, so that a link put in the folder's place has no effect.
 * @throws the reason of the signal when it is aborted; entries deleted before that stay deleted.
 */
async function emptyTree(
  change: FileChange,
  top: ScannedFolder,
  call: Omit<LongCall, 'scope'>,
): Promise<Outcome<number>> {
  const tree = await scanTree(change, top, call.signal);
  if (!tree.ok) {
    return tree;
  }
  const { folders, entries } = tree.value;
  const slice = new TimeSlice(call.signal);
  const counts = { deleted: 0 };
  // Begins with the innermost folders. So all subfolders of a folder are empty when its turn comes.
  for (const folder of folders.toReversed()) {
    const listed = inFoundFolder(change, folder, ({ at }) => {
      return { ok: true, value: readdirSync(at('.'), { withFileTypes: true }) };
    });
    if (!listed.ok) {
      return afterDeleting(counts.deleted, listed);
    }
    for (let at = 0; at < listed.value.length; at += namesAtOnce) {
      const names = listed.value.slice(at, at + namesAtOnce);
      const done = inFoundFolder(change, folder, opened =>
        deleteNames(change, opened, names, counts),
      );
      if (!done.ok) {
        return afterDeleting(counts.deleted, done);
      }
      call.progress(counts.deleted, entries);
      await slice.next();
    }
  }
  return { ok: true, value: counts.deleted };
}

function deleteNames(
  change: FileChange,
  opened: WritableFolder,
  entries: readonly Dirent[],
  counts: { deleted: number },
): Outcome<void> {
  for (const entry of entries) {
    const path = join(opened.path, entry.name);
    // The scan before found no protected name, so this entry is new.
    if (isProtectedName(entry.name, basename(opened.path))) {
      return refuseReadOnly(change.input, path);
    }
    const failure = tryDelete(opened.at(entry.name), entry.isDirectory());
    if (failure !== undefined) {
      return refuseChange(change.input, `${quotePath(path)} cannot be deleted: ${failure}`);
    }
    counts.deleted += 1;
  }
  return { ok: true, value: undefined };
}

/** Deletes an entry, or returns why it still exists. `undefined`: the entry is gone. */
function tryDelete(path: string, isFolder: boolean): string | undefined {
  try {
    remove(path, isFolder);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error);
  }
}

function afterDeleting(deleted: number, refusal: Refusal): Refusal {
  const entries = deleted === 1 ? '1 entry' : `${deleted} entries`;
  const message = `${refusal.message} Before that, the call deleted ${entries} in the folder.`;
  return deleted === 0 ? refusal : { ...refusal, message };
}

const namesAtOnce = 200;
