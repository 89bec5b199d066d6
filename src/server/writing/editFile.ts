import { basename, dirname, join } from 'node:path';
import { printable } from '../../domain/printable.ts';
import { namesBelow } from '../../domain/rootPaths.ts';
import { missing, type Outcome } from '../paths/refusal.ts';
import { encode } from './encode.ts';
import { type Change, type HeldFolder, inHeldFolder, refuseProtected } from './heldFolder.ts';
import { isUntouched, lookAt } from './identity.ts';
import { lineEdits } from './lineEdits.ts';
import { findTarget } from './place.ts';
import { type ReadText, readText } from './readText.ts';
import { unchanged } from './reasons.ts';
import { replaceFile } from './storeFile.ts';
import { applyEdits, type EditedText, type TextEdit } from './textEdits.ts';
import { type UnifiedDiff, unifiedDiff } from './unifiedDiff.ts';

/** A file that was edited, or would be. */
export interface EditedFile {
  readonly path: string;
  readonly replaced: number;
  readonly diff: UnifiedDiff;
}

/** What is to be done to a text file. */
export interface FileEdit {
  readonly edits: readonly TextEdit[];
  /** Whether it is only looked up what would change. */
  readonly isDryRun: boolean;
}

/**
 * Edits the text file that a change names: with all of the edits, or not at all. It is replaced
 * only if nobody wrote to it meanwhile. Synchronous.
 */
export function editFile(change: Change, fileEdit: FileEdit): Outcome<EditedFile> {
  const target = findTarget(change);
  if (!target.ok) {
    return target;
  }
  const { real, root, exists } = target.value;
  if (!exists) {
    return missing(change.input);
  }
  if (real === root.real) {
    return unchanged(change.input, 'It is a folder.');
  }
  return inHeldFolder(change, dirname(real), folder => {
    const name = basename(real);
    const read = refuseProtected(change, folder, name) ?? readText(change.input, folder, name);
    return read.ok ? edit(change, { folder, name, read: read.value }, fileEdit) : read;
  });
}

interface HeldText {
  readonly folder: HeldFolder;
  readonly name: string;
  readonly read: ReadText;
}

function edit(
  { input, scope }: Change,
  { folder, name, read }: HeldText,
  { edits, isDryRun }: FileEdit,
): Outcome<EditedFile> {
  const edited = applyEdits(read.text, edits);
  if (!edited.ok) {
    return unchanged(input, edited.reason);
  }
  const bytes = encode(input, edited.text);
  if (!bytes.ok) {
    return bytes;
  }
  const path = join(folder.path, name);
  const shown = printable(namesBelow(folder.root, path, scope.platform).join('/'));
  const diff = diffOf(shown, read.text, edited);
  const { before } = read;
  const isCurrent = () => isUntouched(before, lookAt(folder.at(name)));
  if (!isDryRun && !replaceFile(folder, name, bytes.value, { before, isCurrent })) {
    return unchanged(input, 'Somebody wrote to it at the same time: read it again.');
  }
  return { ok: true, value: { path, replaced: edited.replaced, diff } };
}

function diffOf(
  name: string,
  oldText: string,
  { text, changes }: Extract<EditedText, { readonly ok: true }>,
): UnifiedDiff {
  const edits = lineEdits({ oldText, newText: text, changes }, maxDiffLength);
  return unifiedDiff(oldText, edits, { name, limit: maxDiffLength });
}

/** The diff goes out twice: as text, and as structured content. */
const maxDiffLength = 250_000;
