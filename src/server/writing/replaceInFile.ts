import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSameFile } from '../../base/fileIdentity.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { printable } from '../../domain/printable.ts';
import { notThere } from '../paths/openInside.ts';
import { openEntry } from '../paths/pins.ts';
import { missing, notText, type Outcome } from '../paths/refusal.ts';
import { isText } from '../reading/mediaType.ts';
import { readInto } from '../search/folderTree.ts';
import { refuseChange, refuseWhileChanging } from './reasons.ts';
import { encode, replaceFile, whyNotReplace } from './storeFile.ts';
import { findFile } from './targets.ts';
import { applyEdits, editTimeLimit, type TextEdit } from './textEdits.ts';
import { type UnifiedDiff, unifiedDiff } from './unifiedDiff.ts';
import {
  type FileChange,
  inWritableFolder,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** A file that was edited, or would be in a dry run. */
export interface EditedFile {
  readonly path: string;
  readonly replaced: number;
  readonly diff: UnifiedDiff;
  /** A note about the write. Empty: there is nothing to note. */
  readonly note: string;
}

/** The edits of a text file. */
interface FileEdit {
  readonly edits: readonly TextEdit[];
  /** Whether to report the changes without writing. */
  readonly isDryRun: boolean;
}

/**
 * Applies all edits to the text file that a change names, or none. Writes the file only if no other
 * program wrote to the file meanwhile. Other calls may run between the reading and the writing.
 * @throws the reason of the signal when it is aborted before the write.
 */
export async function replaceInFile(
  change: FileChange,
  { edits, isDryRun }: FileEdit,
  signal: AbortSignal,
): Promise<Outcome<EditedFile>> {
  const read = readEditable(change);
  if (!read.ok) {
    return read;
  }
  const { path, shown, text } = read.value;
  const slice = new TimeSlice(signal, { limit: editTimeLimit });
  const applied = await applyEdits(text, edits, slice);
  if (!applied.ok) {
    return refuseChange(change.input, applied.reason);
  }
  await slice.pause();
  const diff = unifiedDiff(text, applied.text, { name: shown, limit: maxDiffLength });
  await slice.pause();
  const bytes = encode(change.input, applied.text);
  if (!bytes.ok) {
    return bytes;
  }
  // If the roots were revoked during the work, this pause throws.
  await slice.pause();
  const replaced = isDryRun ? noNote : replaceText(change, read.value, bytes.value);
  return replaced.ok
    ? { ok: true, value: { path, replaced: applied.replaced, diff, note: replaced.value } }
    : replaced;
}

/** A text, and the file it comes from. */
interface EditableText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly path: string;
  /** The file's path in its root. */
  readonly shown: string;
}

function readEditable(change: FileChange): Outcome<EditableText> {
  const { input, scope } = change;
  const found = findFile(change);
  if (!found.ok) {
    return found;
  }
  const { real, exists } = found.value;
  if (!exists) {
    return notThere(scope, input, found.value);
  }
  const name = basename(real);
  return inWritableFolder(change, { folder: dirname(real), name }, folder => {
    const read = readText(change, folder, name);
    if (!read.ok) {
      return read;
    }
    const path = join(folder.path, name);
    const shown = printable(namesBelow(folder.root, path, scope.platform).join('/'));
    return { ok: true, value: { ...read.value, path, shown } };
  });
}

/** Reads the text to edit, with its byte order mark. */
function readText(
  { input, pin }: FileChange,
  folder: WritableFolder,
  name: string,
): Outcome<Pick<EditableText, 'text' | 'bytes'>> {
  const before = lookAt(folder.at(name));
  if (!before) {
    return missing(input);
  }
  // Checked before opening, because opening a device may have effects.
  const reason = whyNotReplace(before);
  if (reason !== undefined) {
    return refuseChange(input, reason);
  }
  // The limit is the longest text that one call of `write-file` can write.
  if (before.size > longestMessage) {
    const most = `${longestMessage / 1024 ** 2} MB`;
    return refuseChange(input, `The file is larger than ${most}, the limit for edits.`);
  }
  const fd = openEntry(pin, folder, name);
  try {
    if (!isSameFile(before, fstatSync(fd, { bigint: true }))) {
      return refuseWhileChanging(input);
    }
    const bytes = readFileSync(fd);
    return isText(bytes)
      ? { ok: true, value: { text: bytes.toString('utf8'), bytes } }
      : refuseChange(input, notText);
  } finally {
    closeSync(fd);
  }
}

const noNote: Outcome<string> = { ok: true, value: '' };

/** Writes the text. Refuses if the contents have changed since they were read. Returns a note, or `''`. */
function replaceText(
  change: FileChange,
  { path, bytes: before }: EditableText,
  bytes: Uint8Array,
): Outcome<string> {
  const name = basename(path);
  // Compares contents, because two changes can have the same time and size.
  const isCurrent = (fd: number) => {
    const now = Buffer.alloc(before.length + 1);
    return now.subarray(0, readInto(fd, now)).equals(before);
  };
  return inWritableFolder(change, { folder: dirname(path), name }, folder => {
    const { failed, note = '' } = replaceFile(folder, name, bytes, isCurrent);
    return failed === undefined ? { ok: true, value: note } : refuseChange(change.input, failed);
  });
}

/** The most characters of a diff. An answer has the diff twice: as text, and as structured content. */
const maxDiffLength = 250_000;
