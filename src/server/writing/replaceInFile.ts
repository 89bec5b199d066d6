import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSameFile } from '../../base/fileIdentity.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { printable } from '../../domain/printable.ts';
import { openEntry } from '../paths/pins.ts';
import { missing, type Outcome, type Refusal } from '../paths/refusal.ts';
import { isText } from '../reading/mediaType.ts';
import { readInto } from '../search/folderTree.ts';
import { lookAt } from './identity.ts';
import { refuseChange, refuseWhileChanging } from './reasons.ts';
import { encode, replaceFile, whyNotReplace } from './storeFile.ts';
import { findFile } from './targets.ts';
import { applyEdits, editTimeLimit, type TextEdit } from './textEdits.ts';
import { type UnifiedDiff, unifiedDiff } from './unifiedDiff.ts';
import { type FileChange, inWritableFolder, type WritableFolder } from './writableFolder.ts';

/** A file that was edited, or would be. */
export interface EditedFile {
  readonly path: string;
  readonly replaced: number;
  readonly diff: UnifiedDiff;
}

/** The edits of a text file. */
interface FileEdit {
  readonly edits: readonly TextEdit[];
  /** Whether it is only looked up what would change. */
  readonly isDryRun: boolean;
}

/**
 * Edits the text file that a change names: with all of the edits, or not at all. It is replaced
 * only if nobody wrote to it meanwhile. Other work goes on in between.
 * @throws the reason of the signal when that is aborted, before anything was written.
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
  // The roots may have been revoked while this was worked on.
  await slice.pause();
  const refusal = isDryRun ? undefined : replaceText(change, read.value, bytes.value);
  return refusal ?? { ok: true, value: { path, replaced: applied.replaced, diff } };
}

/** A text, and the file it was read from. */
interface EditableText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly path: string;
  /** The path in its root. */
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
    return missing(input);
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

/** Reads a file of a folder that is to be replaced by another text. A byte order mark stays. */
function readText(
  { input, pin }: FileChange,
  folder: WritableFolder,
  name: string,
): Outcome<Pick<EditableText, 'text' | 'bytes'>> {
  const before = lookAt(folder.at(name));
  if (!before) {
    return missing(input);
  }
  // Asked before it is opened: that may do something to a device.
  const reason = whyNotReplace(before);
  if (reason !== undefined) {
    return refuseChange(input, reason);
  }
  // No longer text can have come in one call of `write-file`.
  if (before.size > longestMessage) {
    const most = `${longestMessage / 1024 ** 2} MB`;
    return refuseChange(input, `It is larger than ${most}, which is too large to be edited here.`);
  }
  const fd = openEntry(pin, folder, name);
  try {
    if (!isSameFile(before, fstatSync(fd, { bigint: true }))) {
      return refuseWhileChanging(input);
    }
    const bytes = readFileSync(fd);
    return isText(bytes)
      ? { ok: true, value: { text: bytes.toString('utf8'), bytes } }
      : refuseChange(input, 'It is not UTF-8 text (binary, or another encoding).');
  } finally {
    closeSync(fd);
  }
}

/** The reason that the text was not replaced; `undefined` when it was. */
function replaceText(
  change: FileChange,
  { path, bytes: before }: EditableText,
  bytes: Uint8Array,
): Refusal | undefined {
  const name = basename(path);
  // By what it holds: two changes can have one time, and one size.
  const isCurrent = (fd: number) => {
    const now = Buffer.alloc(before.length + 1);
    return now.subarray(0, readInto(fd, now)).equals(before);
  };
  const replaced = inWritableFolder(change, { folder: dirname(path), name }, folder => {
    const reason = replaceFile(folder, name, bytes, isCurrent);
    return reason === undefined
      ? { ok: true, value: undefined }
      : refuseChange(change.input, reason);
  });
  return replaced.ok ? undefined : replaced;
}

/** The diff goes out twice: as text, and as structured content. In characters. */
const maxDiffLength = 250_000;
