import { findAll } from './findAll.ts';
import type { Steps } from './steps.ts';
import { changesIn, type Piece, type TextChange, withReplaced } from './textPieces.ts';

/** A text that is to stand in the place of another. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Wherever the old one stands; otherwise it has to stand in one place only. */
  readonly replaceAll?: boolean | undefined;
}

/** A text after edits, or which edit is impossible, and why. */
export type EditedText =
  | {
      readonly ok: true;
      readonly text: string;
      readonly changes: readonly TextChange[];
      /** How many places were replaced. */
      readonly replaced: number;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Applies edits one after the other, each to what the one before left. All of them, or none.
 *
 * Where every line of the text ends in CR LF, those of the edits do so too, however they were
 * written: nothing else could be found there, and the text stays of one kind.
 */
export function* applyEdits(original: string, edits: readonly TextEdit[]): Steps<EditedText> {
  const hasCrLf = original.includes('\r\n') && !/(?<!\r)\n/.test(original);
  let text = original;
  let pieces: readonly Piece[] = [{ from: 0, to: original.length }];
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const { oldText, newText } = hasCrLf ? withCrLf(edit) : edit;
    const found = yield* placesFor(text, { ...edit, oldText, newText }, maxPlaces - replaced);
    if (!found.ok) {
      return refuse(edits.length > 1 ? `Edit ${index + 1}: ${found.reason}` : found.reason);
    }
    const { places } = found;
    pieces = withReplaced(pieces, places, { removed: oldText.length, added: newText.length });
    text = replaceAt(text, places, { oldText, newText });
    replaced += places.length;
    yield;
  }
  return text === original
    ? refuse('The edits undo each other: nothing would change.')
    : { ok: true, text, changes: changesIn(pieces, original.length), replaced };
}

type Places =
  | { readonly ok: true; readonly places: readonly number[] }
  | { readonly ok: false; readonly reason: string };

function* placesFor(
  text: string,
  { oldText, newText, replaceAll = false }: TextEdit,
  placesLeft: number,
): Steps<Places> {
  if (oldText === '') {
    return refuse('The old text is empty: to write a whole file, use write-file.');
  }
  if (oldText === newText) {
    return refuse('The old and the new text are the same: nothing would change.');
  }
  const limit = replaceAll ? placesLeft + 1 : maxCounted;
  const places = yield* findAll(text, oldText, { limit, isApart: replaceAll });
  if (places.length === 0) {
    return refuse(yield* whyMissing(text, oldText));
  }
  if (replaceAll && places.length > placesLeft) {
    return refuse(`More than ${maxPlaces} places would be replaced: use write-file.`);
  }
  if (text.length + places.length * (newText.length - oldText.length) > maxTextLength) {
    return refuse('The file would become too large to be edited.');
  }
  return replaceAll || places.length === 1
    ? { ok: true, places }
    : refuse(whyAmbiguous(text, places));
}

function* whyMissing(text: string, oldText: string): Steps<string> {
  const words = (yield* loosely(oldText)).trim();
  const places =
    words === '' ? [] : yield* findAll(yield* loosely(text), words, { limit: 1, isApart: true });
  const hint =
    places.length > 0
      ? 'It is there with other blanks or line ends: copy it as read-file shows it.'
      : 'Read the file again: every character counts, blanks and line ends too.';
  return `The old text does not occur in the file. ${hint}`;
}

/** The text with one blank for all that stand together. */
function* loosely(text: string): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += partLength) {
    const part = text.slice(at, at + partLength).replace(/\s+/g, ' ');
    const isBlankTwice = part.startsWith(' ') && parts.at(-1)?.endsWith(' ');
    parts.push(isBlankTwice ? part.slice(1) : part);
    yield;
  }
  return parts.join('');
}

function whyAmbiguous(text: string, places: readonly number[]): string {
  const times = places.length === maxCounted ? `at least ${maxCounted}` : String(places.length);
  const all = [...linesAt(text, places)];
  const more = all.length > 5 ? ', …' : '';
  const lines = `${all.length === 1 ? 'line' : 'lines'} ${all.slice(0, 5).join(', ')}${more}`;
  return (
    `The old text occurs ${times} times (${lines}). ` +
    'Add lines around it until it occurs once, or set replaceAll.'
  );
}

/** The lines that the places are in, each of them once. */
function linesAt(text: string, places: readonly number[]): ReadonlySet<number> {
  const lines = new Set<number>();
  let line = 1;
  let next = text.indexOf('\n');
  for (const place of places) {
    while (next >= 0 && next < place) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    lines.add(line);
  }
  return lines;
}

function replaceAt(
  text: string,
  places: readonly number[],
  { oldText, newText }: TextEdit,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place), newText);
    from = place + oldText.length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

function withCrLf({ oldText, newText }: TextEdit): TextEdit {
  const convert = (text: string) => text.replace(/(?<!\r)\n/g, '\r\n');
  return { oldText: convert(oldText), newText: convert(newText) };
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** Of all edits together: nothing by hand needs more, and each place costs memory. */
const maxPlaces = 100_000;
const maxCounted = 1000;
/** In characters. */
const maxTextLength = 16 * 1024 * 1024;
/** How much of a text is changed in one step. */
const partLength = 64 * 1024;
