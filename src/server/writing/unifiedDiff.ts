import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff';

/** A difference of two texts, as `diff -u` and Git write it, which `patch` can apply. */
export interface UnifiedDiff {
  readonly text: string;
  /** Whether it was cut at its end because it is too long; then it cannot be applied. */
  readonly isCut: boolean;
}

/**
 * Compares two texts line by line, and writes the difference in at most `limit` characters. Where so much
 * changed that comparing would take long, it is cut before its first line.
 */
export function unifiedDiff(
  oldText: string,
  newText: string,
  { name, limit }: { readonly name: string; readonly limit: number },
): UnifiedDiff {
  const change = changeBetween(oldText, newText);
  const hunks = compare(change);
  const text = `--- a/${name}\n+++ b/${name}\n${hunks ? format(hunks, change.line) : ''}`;
  return text.length > limit
    ? { text: text.slice(0, text.lastIndexOf('\n', limit) + 1), isCut: true }
    : { text, isCut: hunks === undefined };
}

/** What changed: all lines from the first to the last change, with some lines around them. */
interface DiffChange {
  /** The number of lines before all of these. */
  readonly line: number;
  readonly oldPart: string;
  readonly newPart: string;
}

// The texts are large and the change is small, as a rule: what is the same at both ends would take
// the library most of its time.
function changeBetween(oldText: string, newText: string): DiffChange {
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start < shorter && oldText.charCodeAt(start) === newText.charCodeAt(start)) {
    start += 1;
  }
  start = lineStart(oldText, start);
  let same = 0;
  while (same < shorter - start && oldText.at(-1 - same) === newText.at(-1 - same)) {
    same += 1;
  }
  const oldEnd = afterLines(oldText, oldText.length - same, 1);
  const end = afterLines(oldText, oldEnd, context);
  let top = start;
  for (let count = 0; count < context && top > 0; count++) {
    top = lineStart(oldText, top - 1);
  }
  return {
    line: countLines(oldText.slice(0, top)),
    oldPart: oldText.slice(top, end),
    newPart: newText.slice(top, end + newText.length - oldText.length),
  };
}

/** The changes of the lines; `undefined` when they would take long to find. */
function compare({ oldPart, newPart }: DiffChange): StructuredPatchHunk[] | undefined {
  const options = { context, maxEditLength, timeout };
  return oldPart.length + newPart.length > maxCompared
    ? undefined
    : structuredPatch('', '', oldPart, newPart, undefined, undefined, options)?.hunks;
}

function format(hunks: readonly StructuredPatchHunk[], line: number): string {
  const shifted = hunks.map(hunk => {
    return { ...hunk, oldStart: hunk.oldStart + line, newStart: hunk.newStart + line };
  });
  // The names are written above: the library would write some in the quotes of C.
  const patch = { oldFileName: '', newFileName: '', hunks: shifted };
  return formatPatch({ ...patch, oldHeader: undefined, newHeader: undefined }, OMIT_HEADERS);
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** The offset after so many line feeds, or the end of the text. */
function afterLines(text: string, from: number, count: number): number {
  let at = from;
  for (let passed = 0; passed < count && at < text.length; passed++) {
    at = text.indexOf('\n', at) + 1 || text.length;
  }
  return at;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = text.indexOf('\n', at) + 1 || text.length) {
    count += 1;
  }
  return count;
}

/** The number of lines around a change that are shown. */
const context = 3;
/** In characters. Both texts are cut into lines in one go. */
const maxCompared = 2_000_000;
/** The most lines that may be removed and added. The time grows with its square. */
const maxEditLength = 2000;
/** In milliseconds. */
const timeout = 250;
