import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { missing, type Outcome, type Refusal } from '../paths/refusal.ts';
import { type Change, type HeldFolder, inHeldFolder, refuseProtected } from './heldFolder.ts';
import { isSame, lookAt } from './identity.ts';
import { type Entry, findEntry } from './place.ts';
import { changing } from './reasons.ts';
import { refuseShared } from './scanTree.ts';

/** An entry that is there, and may be moved or deleted as far as the entry itself is concerned. */
export interface ExistingEntry extends Entry {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** Finds what is to be moved or deleted: a link itself, and not what it leads to. */
export function findExisting(change: Change): Outcome<ExistingEntry> {
  const entry = findEntry(change, { isNew: false });
  if (!entry.ok) {
    return entry;
  }
  const { folder, name } = entry.value;
  return inHeldFolder(change, folder, held => {
    const stats = lookAt(held.at(name));
    const refusal = refuseProtected(change, held, name) ?? (stats && refuseShared(change, stats));
    if (refusal) {
      return refusal;
    }
    const path = join(held.path, name);
    return stats
      ? { ok: true, value: { folder: held.path, name, path, stats } }
      : missing(change.input);
  });
}

/** Why an entry that was found before is not to be touched now that its folder is held open. */
export function refuseOther(
  change: Change,
  held: HeldFolder,
  { name, stats }: ExistingEntry,
): Refusal | undefined {
  const isOther = !isSame(stats, lookAt(held.at(name)));
  return refuseProtected(change, held, name) ?? (isOther ? changing(change.input) : undefined);
}
