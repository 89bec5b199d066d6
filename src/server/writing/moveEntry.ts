import { renameSync } from 'node:fs';
import { join, sep } from 'node:path';
import { whileBusy } from '../../base/busyFile.ts';
import { isSameFile } from '../../base/fileIdentity.ts';
import { holdsProtected } from '../../domain/paths/protectedPath.ts';
import { type FileType, fileTypeOf } from '../listing/entries.ts';
import type { Outcome } from '../paths/refusal.ts';
import { refuseChange, refuseReadOnly } from './reasons.ts';
import { scanTree } from './scanTree.ts';
import { moveFile } from './storeFile.ts';
import { type ExistingEntry, findEntry, findExisting, refuseOther } from './targets.ts';
import {
  type FileChange,
  type FolderEntry,
  inTwoWritableFolders,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** A moved entry. */
interface MovedEntry {
  readonly from: string;
  readonly to: string;
  readonly type: FileType;
}

/**
 * Moves the entry that `from` names to the path that `to` names. Moves a link, not its target.
 * Replaces nothing. Moves a folder only if no entry in the folder must stay.
 * @throws the reason of the signal when it is aborted before the move.
 */
export async function moveEntry(
  from: FileChange,
  to: FileChange,
  signal: AbortSignal,
): Promise<Outcome<MovedEntry>> {
  const source = findExisting(from);
  if (!source.ok) {
    return source;
  }
  const target = findEntry(to, { isNew: true });
  if (!target.ok) {
    return target;
  }
  const { path, stats } = source.value;
  if (!stats.isFile() && holdsProtected(target.value.name)) {
    return refuseReadOnly(to.input, target.value.name);
  }
  if (stats.isDirectory()) {
    if (join(target.value.folder, sep).startsWith(join(path, sep))) {
      return refuseChange(from.input, 'A folder cannot be moved into itself.');
    }
    const tree = await scanTree(from, { path, identity: stats }, signal);
    if (!tree.ok) {
      return tree;
    }
  }
  signal.throwIfAborted();
  return moveNow(from, to, { source: source.value, target: target.value });
}

function moveNow(
  from: FileChange,
  to: FileChange,
  { source, target }: { readonly source: ExistingEntry; readonly target: FolderEntry },
): Outcome<MovedEntry> {
  const { stats } = source;
  return inTwoWritableFolders([from, source], [to, target], (first, second) => {
    const refusal = refuseOther(from, first, source);
    if (refusal) {
      return refusal;
    }
    const path = second.at(target.name);
    const there = lookAt(path);
    if (there && !(isSameFile(stats, there) && isRespelled(source, second, target.name))) {
      return refuseChange(to.input, 'The target exists already: name a path that is free.');
    }
    // `renameSync` replaces an entry that takes the new name at the last moment. `moveFile` fails.
    const isWatched = stats.isFile() && !there;
    const move = (from: string, to: string) =>
      isWatched ? moveFile(stats, from, to) : whileBusy(() => renameSync(from, to));
    const reason = second.add(
      to => move(first.at(source.name), to),
      to => move(to, first.at(source.name)),
    );
    const value = {
      from: source.path,
      to: join(second.path, target.name),
      type: fileTypeOf(stats),
    };
    return reason === undefined ? { ok: true, value } : refuseChange(to.input, reason);
  });
}

/** Whether only the letter case of the name changes, on a disk where both spellings name one entry. */
function isRespelled(source: ExistingEntry, { path, root }: WritableFolder, name: string): boolean {
  const fold = (text: string) => text.normalize('NFC').toLowerCase();
  const isOneName = name !== source.name && fold(name) === fold(source.name);
  return root.foldsCase && path === source.folder && isOneName;
}
