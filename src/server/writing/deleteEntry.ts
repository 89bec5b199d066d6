import { rmdirSync, unlinkSync } from 'node:fs';
import type { Outcome } from '../paths/refusal.ts';
import { emptyTree, type LongWork } from './emptyTree.ts';
import { type ExistingEntry, findExisting, refuseOther } from './existingEntry.ts';
import { type Change, inHeldFolder } from './heldFolder.ts';
import { type EntryType, typeOf } from './identity.ts';
import { codeOf, unchanged } from './reasons.ts';

/** Something that was deleted. */
export interface DeletedEntry {
  readonly path: string;
  readonly type: EntryType;
  /** How many entries are gone: itself, and all that was in it. */
  readonly entries: number;
}

/**
 * Deletes what a change names; a link, and never what it leads to. A folder with something in it
 * is deleted only if `isRecursive`.
 * @throws the reason of the signal when that is aborted; what is deleted by then is gone.
 */
export async function deleteEntry(
  change: Change,
  { isRecursive }: { readonly isRecursive: boolean },
  work: LongWork,
): Promise<Outcome<DeletedEntry>> {
  work.signal.throwIfAborted();
  const found = findExisting(change);
  if (!found.ok) {
    return found;
  }
  const { path, stats } = found.value;
  const hasTree = isRecursive && stats.isDirectory();
  const emptied = hasTree ? await emptyTree(change, { path, identity: stats }, work) : undefined;
  if (emptied && !emptied.ok) {
    return emptied;
  }
  work.signal.throwIfAborted();
  const deleted = deleteOne(change, found.value);
  const entries = 1 + (emptied?.value ?? 0);
  return deleted.ok ? { ok: true, value: { path, type: typeOf(stats), entries } } : deleted;
}

function deleteOne(change: Change, entry: ExistingEntry): Outcome<void> {
  return inHeldFolder(change, entry.folder, held => {
    const refusal = refuseOther(change, held, entry);
    if (refusal) {
      return refusal;
    }
    const path = held.at(entry.name);
    if (!entry.stats.isDirectory()) {
      unlinkSync(path);
      return { ok: true, value: undefined };
    }
    return deleteEmpty(change, path);
  });
}

function deleteEmpty(change: Change, path: string): Outcome<void> {
  try {
    rmdirSync(path);
    return { ok: true, value: undefined };
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY') {
      throw error;
    }
    return unchanged(
      change.input,
      'It is a folder with something in it: set recursive to delete all of it.',
    );
  }
}
