import { basename, dirname, join } from 'node:path';
import type { Located } from '../paths/locate.ts';
import type { Outcome } from '../paths/refusal.ts';
import { lookAt } from './identity.ts';
import { type MadeFolder, makeAt } from './makeFolder.ts';
import { refuseChange } from './reasons.ts';
import { createFile, replaceFile, whyNotReplace } from './storeFile.ts';
import { findFile } from './targets.ts';
import { type FileChange, inWritableFolder, type WritableFolder } from './writableFolder.ts';

/** The new content of a file, and what else may be changed for it. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mayReplace: boolean;
  readonly mayMakeFolders: boolean;
}

/** A file that was written. */
interface WrittenFile {
  readonly path: string;
  readonly isNew: boolean;
  /** The folders that were made for it, outermost first. */
  readonly createdFolders: readonly string[];
}

/** Writes the file that a change names: a new one, or all of one that is there. Synchronous. */
export function putFile(change: FileChange, content: FileContent): Outcome<WrittenFile> {
  const target = findFile(change);
  if (!target.ok) {
    return target;
  }
  const folder = folderFor(change, target.value, content.mayMakeFolders);
  if (!folder.ok) {
    return folder;
  }
  const { path, created } = folder.value;
  const name = basename(target.value.real);
  return inWritableFolder(change, { folder: path, name }, opened => {
    const put = putIn(change, opened, name, content);
    return put.ok ? { ok: true, value: { ...put.value, createdFolders: created } } : put;
  });
}

function folderFor(
  change: FileChange,
  { real, exists, there }: Located,
  mayMake: boolean,
): Outcome<MadeFolder> {
  const path = dirname(real);
  if (exists || there === path) {
    return { ok: true, value: { path, created: [] } };
  }
  return mayMake
    ? makeAt(change, { real: path, exists, there })
    : refuseChange(
        change.input,
        'Its folder does not exist: set createDirectories, or make it with create-directory.',
      );
}

function putIn(
  change: FileChange,
  folder: WritableFolder,
  name: string,
  { bytes, mayReplace }: FileContent,
): Outcome<Omit<WrittenFile, 'createdFolders'>> {
  const { input } = change;
  const path = join(folder.path, name);
  const before = lookAt(folder.at(name));
  const reason = before && whyNotReplace(before);
  if (reason !== undefined) {
    return refuseChange(input, reason);
  }
  if (before && !mayReplace) {
    return refuseChange(input, 'It exists: set overwrite to replace it.');
  }
  // All of it is to go, whatever was written to it meanwhile.
  const failed = (before ? replaceFile : createFile)(folder, name, bytes);
  return failed === undefined
    ? { ok: true, value: { path, isNew: !before } }
    : refuseChange(input, failed);
}
