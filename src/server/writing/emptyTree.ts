import { type Dirent, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { quotePath } from '../../domain/paths/pathNames.ts';
import { isProtectedName } from '../../domain/paths/protectedPath.ts';
import type { Outcome, Refusal } from '../paths/refusal.ts';
import type { Change, HeldFolder } from './heldFolder.ts';
import { codeOf, readOnly, reasonOf, unchanged } from './reasons.ts';
import { type FoundFolder, inFoundFolder, scanTree } from './scanTree.ts';
import { Slices } from './slices.ts';

/** How long work is followed and ended: what the call of a tool offers. */
export interface LongWork {
  readonly signal: AbortSignal;
  progress(done: number, total?: number): void;
}

/**
 * Deletes all that is in a folder, and answers how many entries that were. Whether something in it
 * has to stay is looked up before anything is deleted. Each folder is held open while entries of
 * it are deleted, so that no link that comes in between leads anywhere else.
 * @throws the reason of the signal when that is aborted; what is deleted by then is gone.
 */
export async function emptyTree(
  change: Change,
  top: FoundFolder,
  work: LongWork,
): Promise<Outcome<number>> {
  const tree = await scanTree(change, top, work.signal);
  if (!tree.ok) {
    return tree;
  }
  const { folders, entries } = tree.value;
  const slices = new Slices(work.signal);
  const tally = { deleted: 0 };
  // From the innermost folders on: those above hold empty folders only, when it is their turn.
  for (const folder of folders.toReversed()) {
    const listed = inFoundFolder(change, folder, listNames);
    if (!listed.ok) {
      return afterDeleting(tally.deleted, listed);
    }
    for (let at = 0; at < listed.value.length; at += namesAtOnce) {
      const names = listed.value.slice(at, at + namesAtOnce);
      const done = inFoundFolder(change, folder, held => deleteNames(change, held, names, tally));
      if (!done.ok) {
        return afterDeleting(tally.deleted, done);
      }
      work.progress(tally.deleted, entries);
      await slices.next();
    }
  }
  return { ok: true, value: tally.deleted };
}

function listNames({ at }: HeldFolder): Outcome<readonly Dirent[]> {
  return { ok: true, value: readdirSync(at('.'), { withFileTypes: true }) };
}

function deleteNames(
  change: Change,
  held: HeldFolder,
  entries: readonly Dirent[],
  tally: { deleted: number },
): Outcome<void> {
  for (const entry of entries) {
    const path = join(held.path, entry.name);
    // It was not there when all was looked through.
    if (isProtectedName(entry.name)) {
      return readOnly(change.input, path);
    }
    const failure = tryDelete(held.at(entry.name), entry.isDirectory());
    if (failure !== undefined) {
      return unchanged(change.input, `${quotePath(path)} in it cannot be deleted: ${failure}`);
    }
    tally.deleted += 1;
  }
  return { ok: true, value: undefined };
}

/** Why the entry is still there; `undefined` when it is gone, whoever deleted it. */
function tryDelete(path: string, isFolder: boolean): string | undefined {
  try {
    if (isFolder) {
      rmdirSync(path);
    } else {
      unlinkSync(path);
    }
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error);
  }
}

function afterDeleting(deleted: number, refusal: Refusal): Refusal {
  const entries = deleted === 1 ? '1 entry' : `${deleted} entries`;
  const message = `${refusal.message} Before that, ${entries} in it had been deleted.`;
  return deleted === 0 ? refusal : { ...refusal, message };
}

const namesAtOnce = 200;
