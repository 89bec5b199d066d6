import { basename, dirname, join } from 'node:path';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { printable } from '../../domain/printable.ts';
import { missing, type Outcome, type Refusal } from '../paths/refusal.ts';
import { encode } from './encode.ts';
import { type Change, inHeldFolder, refuseProtected } from './heldFolder.ts';
import { isUntouched, lookAt } from './identity.ts';
import { lineEdits } from './lineEdits.ts';
import { findFile } from './place.ts';
import { type ReadText, readText } from './readText.ts';
import { unchanged } from './reasons.ts';
import { Slices } from './slices.ts';
import { inSlices } from './steps.ts';
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
 * only if nobody wrote to it meanwhile. Other work goes on in between.
 * @throws the reason of the signal when that is aborted, before anything was written.
 */
export async function editFile(
  change: Change,
  { edits, isDryRun }: FileEdit,
  signal: AbortSignal,
): Promise<Outcome<EditedFile>> {
  signal.throwIfAborted();
  const held = readHeld(change);
  if (!held.ok) {
    return held;
  }
  const slices = new Slices(signal);
  const done = await inSlices(applyEdits(held.value.text, edits), slices, maxTime);
  const applied = done?.value ?? tookTooLong;
  if (!applied.ok) {
    return unchanged(change.input, applied.reason);
  }
  await slices.pause();
  const edited = describe(held.value, applied);
  await slices.pause();
  const bytes = encode(change.input, applied.text);
  if (!bytes.ok) {
    return bytes;
  }
  // The roots may have been revoked while this was worked on.
  await slices.pause();
  const refusal = isDryRun ? undefined : replaceHeld(change, held.value, bytes.value);
  return refusal ?? { ok: true, value: edited };
}

/** A text that was read, and where. */
interface HeldText extends ReadText {
  readonly path: string;
  /** The path in its root. */
  readonly shown: string;
}

function readHeld(change: Change): Outcome<HeldText> {
  const { input, scope } = change;
  const found = findFile(change);
  if (!found.ok) {
    return found;
  }
  const { real, exists } = found.value;
  if (!exists) {
    return missing(input);
  }
  return inHeldFolder(change, dirname(real), folder => {
    const name = basename(real);
    const read = refuseProtected(change, folder, name) ?? readText(input, folder, name);
    if (!read.ok) {
      return read;
    }
    const path = join(folder.path, name);
    const shown = printable(namesBelow(folder.root, path, scope.platform).join('/'));
    return { ok: true, value: { ...read.value, path, shown } };
  });
}

/** Why the text that was read was not replaced; `undefined` when it was. */
function replaceHeld(
  change: Change,
  { path, before }: HeldText,
  bytes: Uint8Array,
): Refusal | undefined {
  const replaced = inHeldFolder(change, dirname(path), folder => {
    const name = basename(path);
    const refusal = refuseProtected(change, folder, name);
    if (refusal) {
      return refusal;
    }
    const isCurrent = () => isUntouched(before, lookAt(folder.at(name)));
    // Asked first, too: nothing is tried with what came in its place.
    const isDone = isCurrent() && replaceFile(folder, name, bytes, { before, isCurrent });
    return isDone
      ? { ok: true, value: undefined }
      : unchanged(change.input, 'Somebody wrote to it at the same time: read it again.');
  });
  return replaced.ok ? undefined : replaced;
}

function describe(
  { path, shown, text }: HeldText,
  edited: Extract<EditedText, { readonly ok: true }>,
): EditedFile {
  return { path, replaced: edited.replaced, diff: diffOf(shown, text, edited) };
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
/** For the edits together, in milliseconds. */
const maxTime = 10_000;
const tookTooLong = {
  ok: false,
  reason: `They take more than ${maxTime / 1000} seconds: send fewer edits at a time, or use write-file.`,
} as const;
