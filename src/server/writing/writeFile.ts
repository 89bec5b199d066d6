import { basename, dirname, join } from 'node:path';
import { type Located, locatePath } from '../paths/locate.ts';
import type { Outcome } from '../paths/refusal.ts';
import { type Change, type HeldFolder, inHeldFolder, refuseProtected } from './heldFolder.ts';
import { lookAt } from './identity.ts';
import { type MadeFolder, makeAt } from './makeFolders.ts';
import { findFile } from './place.ts';
import { unchanged } from './reasons.ts';
import { createFile, replaceFile, whyNotReplace } from './storeFile.ts';

/** What is to be in a file, and how far the one who asks for it wants to go. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mayReplace: boolean;
  readonly mayMakeFolders: boolean;
}

/** A file that was written. */
export interface WrittenFile {
  readonly path: string;
  readonly isNew: boolean;
  /** The folders that were made for it, outermost first. */
  readonly createdFolders: readonly string[];
}

/** Writes the file that a change names: a new one, or all of one that is there. Synchronous. */
export function writeFile(change: Change, content: FileContent): Outcome<WrittenFile> {
  const target = findFile(change);
  if (!target.ok) {
    return target;
  }
  const folder = folderFor(change, target.value, content.mayMakeFolders);
  if (!folder.ok) {
    return folder;
  }
  const { path, created } = folder.value;
  return inHeldFolder(change, path, held => {
    const put = putFile(change, held, basename(target.value.real), content);
    return put.ok ? { ok: true, value: { ...put.value, createdFolders: created } } : put;
  });
}

function folderFor(
  change: Change,
  { real, exists }: Located,
  mayMake: boolean,
): Outcome<MadeFolder> {
  const path = dirname(real);
  const found = exists ? undefined : locatePath(change.scope, path, change.input);
  if (found && !found.ok) {
    return found;
  }
  if (found === undefined || found.value.exists) {
    return { ok: true, value: { path, created: [] } };
  }
  return mayMake
    ? makeAt(change, path)
    : unchanged(
        change.input,
        'Its folder does not exist: set createDirectories, or make it with create-directory.',
      );
}

function putFile(
  change: Change,
  folder: HeldFolder,
  name: string,
  { bytes, mayReplace }: FileContent,
): Outcome<Omit<WrittenFile, 'createdFolders'>> {
  const { input } = change;
  const refusal = refuseProtected(change, folder, name);
  if (refusal) {
    return refusal;
  }
  const path = join(folder.path, name);
  const before = lookAt(folder.at(name));
  if (!before) {
    createFile(folder, name, bytes);
    return { ok: true, value: { path, isNew: true } };
  }
  const reason = whyNotReplace(before);
  if (reason !== undefined) {
    return unchanged(input, reason);
  }
  if (!mayReplace) {
    return unchanged(input, 'It exists: set overwrite to replace it.');
  }
  replaceFile(folder, name, bytes, { before, isCurrent: () => true });
  return { ok: true, value: { path, isNew: false } };
}
