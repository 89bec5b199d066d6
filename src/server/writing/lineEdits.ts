import { commonLines } from './commonLines.ts';
import { type ChangedText, inWholeLines } from './wholeLines.ts';

/** Lines of a text in whose place others stand; each with its line end, if it has one. */
export interface LineEdit {
  /** Where the lines begin in the old text, and how many lines are before them. */
  readonly from: number;
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * What changed, in whole lines and in order. Lines that are the same in both are left out. Where
 * more changed in one place than `limit` characters, only its beginning is there.
 */
export function* lineEdits(
  { oldText, newText, changes }: ChangedText,
  limit: number,
): Generator<LineEdit> {
  const budget = { cells: 4_000_000 };
  let line = 0;
  let counted = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of inWholeLines({ oldText, newText, changes })) {
    line += countLines(oldText, counted, oldFrom);
    counted = oldFrom;
    const isCut = oldTo - oldFrom > limit || newTo - newFrom > limit;
    const removed = linesOf(oldText.slice(oldFrom, Math.min(oldTo, oldFrom + limit)));
    const added = linesOf(newText.slice(newFrom, Math.min(newTo, newFrom + limit)));
    const edit = { from: oldFrom, line, removed, added };
    yield* isCut ? [edit] : withoutCommon(edit, budget);
  }
}

/** The lines of a text, each with the line feed that ends it. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** Leaves out what is the same at both ends, and then in between. */
function* withoutCommon(edit: LineEdit, budget: { cells: number }): Generator<LineEdit> {
  const { removed, added } = edit;
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && removed[start] === added[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && removed.at(-1 - end) === added.at(-1 - end)) {
    end += 1;
  }
  const middle = {
    from: edit.from + lengthOf(removed.slice(0, start)),
    line: edit.line + start,
    removed: removed.slice(start, removed.length - end),
    added: added.slice(start, added.length - end),
  };
  if (middle.removed.length + middle.added.length === 0) {
    return;
  }
  // Comparing all lines with all others has its price: where it is too high, all of them are shown.
  budget.cells -= (middle.removed.length + 1) * (middle.added.length + 1);
  yield* budget.cells > 0 ? splitAtCommon(middle) : [middle];
}

function* splitAtCommon({ from, line, removed, added }: LineEdit): Generator<LineEdit> {
  let [i, j, offset] = [0, 0, from];
  for (const [a, b] of [...commonLines(removed, added), [removed.length, added.length] as const]) {
    if (i < a || j < b) {
      const lines = { removed: removed.slice(i, a), added: added.slice(j, b) };
      yield { from: offset, line: line + i, ...lines };
    }
    offset += lengthOf(removed.slice(i, a + 1));
    [i, j] = [a + 1, b + 1];
  }
}

/** How long the lines are together. */
export function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
