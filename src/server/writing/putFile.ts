import { closeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Located } from '../paths/locate.ts';
import { openEntry } from '../paths/pins.ts';
import type { Outcome } from '../paths/refusal.ts';
import { readInto } from '../search/folderTree.ts';
import { type MadeFolder, makeAt } from './makeFolder.ts';
import { refuseChange } from './reasons.ts';
import { createFile, replaceFile, whyNotReplace } from './storeFile.ts';
import { findFile } from './targets.ts';
import { endsIn } from './textEdits.ts';
import {
  type FileChange,
  inWritableFolder,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** The new content of a file, and what else the call permits. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mayReplace: boolean;
  readonly mayMakeFolders: boolean;
}

/** A written file. */
interface WrittenFile {
  readonly path: string;
  readonly isNew: boolean;
  /** The size in bytes. */
  readonly size: number;
  /** A note about the write. Empty: there is nothing to note. */
  readonly note: string;
  /** The folders that were made for the file, outermost first. */
  readonly createdFolders: readonly string[];
}

/** Creates the file that a change names, or replaces the file's whole content. Synchronous. */
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
        'The folder of the file does not exist: set createDirectories, or use create-directory.',
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
    return refuseChange(input, 'The file exists: set overwrite to replace the file.');
  }
  const sent = before ? inFormOf(startOf(change, folder, name), bytes) : bytes;
  // Replaces the whole content, even if another program wrote to the file meanwhile.
  const { failed, note = '' } = before
    ? replaceFile(folder, name, sent)
    : { failed: createFile(folder, name, sent) };
  return failed === undefined
    ? { ok: true, value: { path, isNew: !before, size: sent.length, note } }
    : refuseChange(input, failed);
}

/** The start of a file's text: enough to see its byte order mark and its line ends. */
function startOf({ pin }: FileChange, folder: WritableFolder, name: string): string {
  const fd = openEntry(pin, folder, name);
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.toString('utf8', 0, readInto(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

/** Gives the new text the byte order mark and line ends of the old text, which a model does not see. */
function inFormOf(before: string, bytes: Uint8Array): Uint8Array {
  const text = endsIn(before)(Buffer.from(bytes).toString());
  const lacksMark = before.startsWith('\ufeff') && !text.startsWith('\ufeff');
  return Buffer.from(lacksMark ? `\ufeff${text}` : text);
}
