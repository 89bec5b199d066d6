import { type LineEdit, lengthOf, linesOf } from './lineEdits.ts';

/** A difference of two texts, as `diff -u` and Git write it, which `patch` can apply. */
export interface UnifiedDiff {
  readonly text: string;
  /** Whether it was cut at its end because it is too long; then it cannot be applied. */
  readonly isCut: boolean;
}

/** Writes the edits of a text, in order, as a difference of at most `limit` characters. */
export function unifiedDiff(
  oldText: string,
  edits: Iterable<LineEdit>,
  { name, limit }: { readonly name: string; readonly limit: number },
): UnifiedDiff {
  let text = `--- a/${name}\n+++ b/${name}\n`;
  let shift = 0;
  for (const hunk of hunksOf(edits)) {
    const written = writeHunk(oldText, hunk, shift);
    text += written.text;
    shift += written.shift;
    if (text.length > limit) {
      return { text: text.slice(0, text.lastIndexOf('\n', limit) + 1), isCut: true };
    }
  }
  return { text, isCut: false };
}

type Hunk = readonly [LineEdit, ...LineEdit[]];

/** Puts edits together whose surroundings overlap. */
function* hunksOf(edits: Iterable<LineEdit>): Generator<Hunk> {
  let hunk: [LineEdit, ...LineEdit[]] | undefined;
  for (const edit of edits) {
    const last = hunk?.at(-1);
    if (!hunk || !last) {
      hunk = [edit];
    } else if (edit.line - (last.line + last.removed.length) <= 2 * context) {
      hunk.push(edit);
    } else {
      yield hunk;
      hunk = [edit];
    }
  }
  if (hunk) {
    yield hunk;
  }
}

function writeHunk(
  oldText: string,
  hunk: Hunk,
  shift: number,
): { readonly text: string; readonly shift: number } {
  const [first] = hunk;
  const before = linesBefore(oldText, first.from);
  const parts = [mark(' ', before)];
  let [at, kept, removed, added] = [first.from, before.length, 0, 0];
  for (const edit of hunk) {
    const between = linesOf(oldText.slice(at, edit.from));
    parts.push(mark(' ', between), mark('-', edit.removed), mark('+', edit.added));
    kept += between.length;
    removed += edit.removed.length;
    added += edit.added.length;
    at = edit.from + lengthOf(edit.removed);
  }
  const after = linesAfter(oldText, at);
  parts.push(mark(' ', after));
  kept += after.length;
  const start = first.line - before.length;
  const head = `@@ -${range(start, kept + removed)} +${range(start + shift, kept + added)} @@\n`;
  return { text: head + parts.join(''), shift: added - removed };
}

/** Lines count from 1, but where there are none, the line before them is named. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

function mark(sign: ' ' | '-' | '+', lines: readonly string[]): string {
  const end = (line: string) => (line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n');
  return lines.map(line => `${sign}${line}${end(line)}`).join('');
}

function linesBefore(text: string, at: number): readonly string[] {
  let start = at;
  for (let count = 0; count < context && start > 0; count++) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  }
  return linesOf(text.slice(start, at));
}

function linesAfter(text: string, at: number): readonly string[] {
  let end = at;
  for (let count = 0; count < context && end < text.length; count++) {
    end = text.indexOf('\n', end) + 1 || text.length;
  }
  return linesOf(text.slice(at, end));
}

/** How many lines around an edit are shown. */
const context = 3;
