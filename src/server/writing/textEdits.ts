import { findAll } from './findAll.ts';
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
export function applyEdits(original: string, edits: readonly TextEdit[]): EditedText {
  const hasCrLf = original.includes('\r\n') && !/(?<!\r)\n/.test(original);
  let text = original;
  let pieces: readonly Piece[] = [{ from: 0, to: original.length }];
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const { oldText, newText } = hasCrLf ? withCrLf(edit) : edit;
    const found = placesFor(text, { ...edit, oldText, newText });
    if (!found.ok) {
      return refuse(edits.length > 1 ? `Edit ${index + 1}: ${found.reason}` : found.reason);
    }
    const { places } = found;
    pieces = withReplaced(pieces, places, { removed: oldText.length, added: newText.length });
    text = replaceAt(text, places, { oldText, newText });
    replaced += places.length;
  }
  return text === original
    ? refuse('The edits undo each other: nothing would change.')
    : { ok: true, text, changes: changesIn(pieces, original.length), replaced };
}

type Places =
  | { readonly ok: true; readonly places: readonly number[] }
  | { readonly ok: false; readonly reason: string };

function placesFor(text: string, { oldText, newText, replaceAll = false }: TextEdit): Places {
  if (oldText === '') {
    return refuse('The old text is empty: to write a whole file, use write-file.');
  }
  if (oldText === newText) {
    return refuse('The old and the new text are the same: nothing would change.');
  }
  const limit = replaceAll ? maxPlaces + 1 : maxCounted;
  const places = findAll(text, oldText, { limit, isApart: replaceAll });
  if (places.length === 0) {
    return refuse(whyMissing(text, oldText));
  }
  if (replaceAll && places.length > maxPlaces) {
    return refuse(`The old text stands in more than ${maxPlaces} places: use write-file.`);
  }
  if (text.length + places.length * (newText.length - oldText.length) > maxTextLength) {
    return refuse('The file would become too large to be edited.');
  }
  return replaceAll || places.length === 1
    ? { ok: true, places }
    : refuse(whyAmbiguous(text, places));
}

function whyMissing(text: string, oldText: string): string {
  const loosely = (some: string) => some.replace(/\s+/g, ' ').trim();
  const words = loosely(oldText);
  const isThere = words !== '' && findAll(loosely(text), words, { limit: 1, isApart: true });
  const hint =
    isThere && isThere.length > 0
      ? 'It is there with other blanks or line ends: copy it as read-file shows it.'
      : 'Read the file again: every character counts, blanks and line ends too.';
  return `The old text does not occur in the file. ${hint}`;
}

function whyAmbiguous(text: string, places: readonly number[]): string {
  const times = places.length === maxCounted ? `at least ${maxCounted}` : String(places.length);
  const lines = linesAt(text, places.slice(0, 5));
  const more = places.length > 5 ? ', …' : '';
  return (
    `The old text occurs ${times} times (lines ${lines.join(', ')}${more}). ` +
    'Add lines around it until it occurs once, or set replaceAll.'
  );
}

function linesAt(text: string, places: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return places.map(place => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < place; at = text.indexOf('\n', from)) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
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

/** No edit by hand needs more, and each place costs memory. */
const maxPlaces = 100_000;
const maxCounted = 1000;
/** In characters. */
const maxTextLength = 16 * 1024 * 1024;
