import { longestMessage } from '../../base/lineReader.ts';
import type { TimeSlice } from '../../base/timeSlice.ts';

/** A text that is to stand in the place of another. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Wherever the old one stands; otherwise it has to stand in one place only. */
  readonly replaceAll?: boolean | undefined;
}

/** A text after edits and how many places were replaced, or why the edits are impossible. */
type EditedText =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  | Impossible;

interface Impossible {
  readonly ok: false;
  readonly reason: string;
}

/**
 * Applies edits one after the other, each to what the one before left. All of them, or none. They
 * are refused when the time slices are over before that.
 *
 * Where every line of the text ends in CR LF, those of the edits do so too, however they were
 * written: nothing else could be found there, and the text stays of one kind.
 * @throws the reason of the slice's signal when that is aborted.
 */
export async function applyEdits(
  original: string,
  edits: readonly TextEdit[],
  slice: TimeSlice,
): Promise<EditedText> {
  const hasCrLf = original.includes('\r\n') && !/(?<!\r)\n/.test(original);
  let text = original;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const { oldText, newText } = hasCrLf ? withCrLf(edit) : edit;
    const found = await placesFor(text, { ...edit, oldText, newText }, maxPlaces - replaced, slice);
    if (slice.isOver) {
      return refuse(tookTooLong);
    }
    if (!found.ok) {
      return refuse(edits.length > 1 ? `Edit ${index + 1}: ${found.reason}` : found.reason);
    }
    text = replaceAt(text, found.places, { oldText, newText });
    replaced += found.places.length;
  }
  return text === original
    ? refuse('The edits undo each other: nothing would change.')
    : { ok: true, text, replaced };
}

async function placesFor(
  text: string,
  { oldText, newText, replaceAll = false }: TextEdit,
  placesLeft: number,
  slice: TimeSlice,
): Promise<{ readonly ok: true; readonly places: readonly number[] } | Impossible> {
  if (oldText === '') {
    return refuse('The old text is empty: to write a whole file, use write-file.');
  }
  if (oldText.length > maxOldLength) {
    return refuse(
      `The old text is longer than ${maxOldLength} characters: name less of it, or use write-file.`,
    );
  }
  if (oldText === newText) {
    return refuse('The old and the new text are the same: nothing would change.');
  }
  const limit = replaceAll ? placesLeft + 1 : maxCounted;
  const places = await findAll(text, oldText, { limit, canOverlap: !replaceAll }, slice);
  if (places.length === 0) {
    return refuse(await whyMissing(text, oldText, slice));
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

/** The places of `part` in `text`, at most `limit`; fewer when the time slices are over before. */
async function findAll(
  text: string,
  part: string,
  { limit, canOverlap }: { readonly limit: number; readonly canOverlap: boolean },
  slice: TimeSlice,
): Promise<readonly number[]> {
  const found: number[] = [];
  // At worst, `indexOf` compares all of the part at each place of the text: minutes for a large one.
  const atOnce = Math.ceil(comparedAtOnce / part.length);
  let from = 0;
  while (from + part.length <= text.length && found.length < limit && !slice.isOver) {
    const place = text.slice(from, from + atOnce + part.length - 1).indexOf(part);
    if (place < 0) {
      from += atOnce;
    } else {
      found.push(from + place);
      from += place + (canOverlap ? 1 : part.length);
    }
    if (slice.isSpent) {
      await slice.pause();
    }
  }
  return found;
}

async function whyMissing(text: string, oldText: string, slice: TimeSlice): Promise<string> {
  const words = (await withSingleBlanks(oldText, slice)).trim();
  const once = { limit: 1, canOverlap: true };
  const places =
    words === '' ? [] : await findAll(await withSingleBlanks(text, slice), words, once, slice);
  const hint =
    places.length > 0
      ? 'It is there with other blanks or line ends: copy it as read-file shows it.'
      : 'Read the file again: every character counts, blanks and line ends too.';
  return `The old text does not occur in the file. ${hint}`;
}

/** The text with one blank for all that stand together. */
async function withSingleBlanks(text: string, slice: TimeSlice): Promise<string> {
  const parts: string[] = [];
  let endsBlank = false;
  for (let at = 0; at < text.length; at += partLength) {
    const part = text.slice(at, at + partLength).replace(/\s+/g, ' ');
    const isBlankTwice = part.startsWith(' ') && endsBlank;
    endsBlank = part.endsWith(' ');
    parts.push(isBlankTwice ? part.slice(1) : part);
    await slice.next();
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

function refuse(reason: string): Impossible {
  return { ok: false, reason };
}

/** The longest time for all edits of a call, in milliseconds. */
export const editTimeLimit = 10_000;
const tookTooLong = `They take more than ${editTimeLimit / 1000} seconds: send fewer edits at a time, or use write-file.`;
/** In characters, of one edit. Nothing by hand needs more, and long ones are slow to look for. */
const maxOldLength = 100_000;
/** The most characters that are compared before other work has its turn: 25 ms or so. */
const comparedAtOnce = 100_000_000;
/** Of all edits together: nothing by hand needs more, and each place costs memory. */
const maxPlaces = 100_000;
/** The most places that are counted of a text that has to stand in one. */
const maxCounted = 1000;
/** In characters. */
const maxTextLength = 2 * longestMessage;
/** The part of a text that is changed before other work may have its turn. */
const partLength = 64 * 1024;
