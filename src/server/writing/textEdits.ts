import { longestMessage } from '../../base/lineReader.ts';
import type { TimeSlice } from '../../base/timeSlice.ts';

/** A replacement of a text by another. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Whether to replace every occurrence. Otherwise the old text must occur exactly once. */
  readonly replaceAll?: boolean | undefined;
}

/** The edited text and the number of replaced places, or why the edits are impossible. */
type EditedText =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  | Impossible;

interface Impossible {
  readonly ok: false;
  readonly reason: string;
}

/**
 * Applies all edits in order, each to the result of the edit before, or none. Refuses if the time
 * limit of `slice` is over first.
 *
 * If every line of the text ends in CR LF, line ends in the edits become CR LF, too. Otherwise,
 * edits of several lines would match nothing, and the text would have both kinds of line ends.
 * @throws the reason of the slice's signal when it is aborted.
 */
export async function applyEdits(
  original: string,
  edits: readonly TextEdit[],
  slice: TimeSlice,
): Promise<EditedText> {
  const fit = endsIn(original);
  let text = original;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const [oldText, newText] = [fit(edit.oldText), fit(edit.newText)];
    const found = await placesFor(text, { ...edit, oldText, newText }, maxPlaces - replaced, slice);
    if (slice.isOver) {
      return refuse(impossible.slow);
    }
    if (!found.ok) {
      return refuse(edits.length > 1 ? `Edit ${index + 1}: ${found.reason}` : found.reason);
    }
    text = replaceAt(text, found.places, { oldText, newText });
    replaced += found.places.length;
  }
  return text === original ? refuse(impossible.undone) : { ok: true, text, replaced };
}

async function placesFor(
  text: string,
  { oldText, newText, replaceAll = false }: TextEdit,
  placesLeft: number,
  slice: TimeSlice,
): Promise<{ readonly ok: true; readonly places: readonly number[] } | Impossible> {
  if (oldText === '') {
    return refuse(impossible.empty);
  }
  if (oldText.length > maxOldLength) {
    return refuse(impossible.tooLong);
  }
  if (oldText === newText) {
    return refuse(impossible.same);
  }
  const limit = replaceAll ? placesLeft + 1 : maxCounted;
  const places = await findAll(text, oldText, { limit, canOverlap: !replaceAll }, slice);
  if (places.length === 0) {
    return refuse(await whyMissing(text, oldText, slice));
  }
  if (replaceAll && places.length > placesLeft) {
    return refuse(impossible.tooMany);
  }
  if (text.length + places.length * (newText.length - oldText.length) > maxTextLength) {
    return refuse(impossible.tooLarge);
  }
  return replaceAll || places.length === 1 ? { ok: true, places } : refuseAmbiguous(text, places);
}

/** The indexes of `part` in `text`, at most `limit`. Fewer if the time limit of `slice` is over. */
async function findAll(
  text: string,
  part: string,
  { limit, canOverlap }: { readonly limit: number; readonly canOverlap: boolean },
  slice: TimeSlice,
): Promise<readonly number[]> {
  const found: number[] = [];
  // At worst, `indexOf` compares the whole part at each place. In a large text, this takes minutes.
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
    await slice.next();
  }
  return found;
}

async function whyMissing(text: string, oldText: string, slice: TimeSlice): Promise<string> {
  const withSingleBlanks = (each: string) => each.replace(/\s+/g, ' ');
  const words = withSingleBlanks(oldText).trim();
  const once = { limit: 1, canOverlap: true };
  const places = words === '' ? [] : await findAll(withSingleBlanks(text), words, once, slice);
  return places.length > 0 ? otherBlanks : missing;
}

function refuseAmbiguous(text: string, places: readonly number[]): Impossible {
  const times = places.length === maxCounted ? atLeast : String(places.length);
  const all = [...linesAt(text, places)];
  const more = all.length > 5 ? ', …' : '';
  const lines = `${all.length === 1 ? 'line' : 'lines'} ${all.slice(0, 5).join(', ')}${more}`;
  return {
    ok: false,
    reason:
      `The old text occurs ${times} times (${lines}). ` +
      'Add lines around the old text until it occurs once, or set replaceAll.',
  };
}

/** The numbers of the lines where the places are, each once. */
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

/** Returns a function that gives a text CR LF line ends, if all lines of `text` have these ends. */
export function endsIn(text: string): (other: string) => string {
  const hasCrLf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return other => (hasCrLf ? other.replace(/(?<!\r)\n/g, '\r\n') : other);
}

function refuse(reason: string): Impossible {
  return { ok: false, reason };
}

/** The longest time for all edits of a call, in milliseconds. */
export const editTimeLimit = 10_000;
/** The most characters of one old text. Edits by hand are shorter, and long texts are slow to find. */
const maxOldLength = 100_000;
/** The most characters compared before other work gets its turn: about 25 ms. */
const comparedAtOnce = 100_000_000;
/** The most places of all edits together. Edits by hand need fewer, and each place costs memory. */
const maxPlaces = 100_000;
/** The most places that are counted for a text that must occur once. */
const maxCounted = 1000;
const atLeast = `at least ${maxCounted}`;
/** The most characters of an edited text. */
const maxTextLength = 2 * longestMessage;

const missing =
  'The old text does not occur in the file. Read the file again: every character counts, blanks ' +
  'and line ends too.';

const otherBlanks =
  'The file has the old text only with other blanks or line ends. Read the file with read-file, and ' +
  'copy the text exactly.';

const impossible = {
  empty: 'The old text is empty: to write a whole file, use write-file.',
  tooLong: `The old text is longer than ${maxOldLength} characters: use a shorter part, or use write-file.`,
  same: 'The old and the new text are the same: nothing would change.',
  tooMany: `More than ${maxPlaces} places would be replaced: use write-file.`,
  tooLarge: 'The file would become too large to be edited.',
  undone: 'The edits undo each other: nothing would change.',
  slow: `The edits take more than ${editTimeLimit / 1000} seconds: send fewer edits in a call, or use write-file.`,
} as const;
