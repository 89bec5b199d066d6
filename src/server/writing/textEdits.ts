import type { TimeSlice } from '../../base/timeSlice.ts';

/** A text that is to stand in the place of another. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Wherever the old one stands; otherwise it has to stand in one place only. */
  readonly replaceAll?: boolean | undefined;
}

/** A text after edits and how many places were replaced, or why the edits are impossible. */
export type EditedText =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Applies edits one after the other, each to what the one before left. All of them, or none. Other
 * work goes on between two of them.
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
    const edited = applyEdit(text, hasCrLf ? withCrLf(edit) : edit);
    if (!edited.ok) {
      return edits.length > 1 ? refuse(`Edit ${index + 1}: ${edited.reason}`) : edited;
    }
    text = edited.text;
    replaced += edited.replaced;
    await slice.next();
  }
  return text === original
    ? refuse('The edits undo each other: nothing would change.')
    : { ok: true, text, replaced };
}

function applyEdit(text: string, { oldText, newText, replaceAll = false }: TextEdit): EditedText {
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
  const rest = text.split(oldText);
  const replaced = rest.length - 1;
  if (replaced === 0) {
    return refuse(whyMissing(text, oldText));
  }
  if (text.length + replaced * (newText.length - oldText.length) > maxTextLength) {
    return refuse('The file would become too large to be edited.');
  }
  const after = text.indexOf(oldText) + 1;
  const isOverlapped = text.slice(after, after + 2 * (oldText.length - 1)).includes(oldText);
  return replaceAll || (replaced === 1 && !isOverlapped)
    ? { ok: true, text: rest.join(newText), replaced }
    : refuse(whyAmbiguous(text, oldText));
}

function whyMissing(text: string, oldText: string): string {
  const withSingleBlanks = (each: string) => each.replace(/\s+/g, ' ');
  const words = withSingleBlanks(oldText.trim());
  const hint =
    words !== '' && withSingleBlanks(text).includes(words)
      ? 'It is there with other blanks or line ends: copy it as read-file shows it.'
      : 'Read the file again: every character counts, blanks and line ends too.';
  return `The old text does not occur in the file. ${hint}`;
}

function whyAmbiguous(text: string, oldText: string): string {
  const found = new Set<number>();
  let count = 0;
  let line = 1;
  let before = 0;
  for (let at = text.indexOf(oldText); at >= 0 && count < maxCounted; ) {
    line += text.slice(before, at).split('\n').length - 1;
    found.add(line);
    count += 1;
    before = at;
    at = text.indexOf(oldText, at + 1);
  }
  const times = count === maxCounted ? `at least ${maxCounted}` : String(count);
  const lines = [...found].slice(0, 5).join(', ') + (found.size > 5 ? ', …' : '');
  return (
    `The old text occurs ${times} times (${found.size === 1 ? 'line' : 'lines'} ${lines}). ` +
    'Add lines around it until it occurs once, or set replaceAll.'
  );
}

function withCrLf({ oldText, newText, replaceAll }: TextEdit): TextEdit {
  const convert = (text: string) => text.replace(/(?<!\r)\n/g, '\r\n');
  return { oldText: convert(oldText), newText: convert(newText), replaceAll };
}

function refuse(reason: string): EditedText {
  return { ok: false, reason };
}

/** In characters, of one edit. Nothing by hand needs more, and long ones are slow to look for. */
const maxOldLength = 100_000;
/** How many places are counted of a text that has to stand in one. */
const maxCounted = 1000;
/** In characters. */
const maxTextLength = 16 * 1024 * 1024;
