import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff';

/** The difference of two texts, in the form of `diff -u` and Git, which `patch` can apply. */
export interface UnifiedDiff {
  readonly text: string;
  /** Whether the diff is not complete, so that `patch` cannot apply it. */
  readonly isCut: boolean;
}

/**
 * Compares two texts line by line, and writes the difference in at most `limit` characters. If the
 * texts are too long or differ too much to compare quickly, the diff has only its two file names.
 */
export function unifiedDiff(
  oldText: string,
  newText: string,
  { name, limit }: { readonly name: string; readonly limit: number },
): UnifiedDiff {
  const hunks = compare(oldText, newText);
  const text = `--- a/${name}\n+++ b/${name}\n${hunks ? format(hunks) : ''}`;
  return text.length > limit
    ? { text: text.slice(0, text.lastIndexOf('\n', limit) + 1), isCut: true }
    : { text, isCut: hunks === undefined };
}

/** The changed lines. `undefined`: finding them would take too long. */
function compare(oldText: string, newText: string): StructuredPatchHunk[] | undefined {
  const options = { context, maxEditLength, timeout };
  return oldText.length + newText.length > maxCompared
    ? undefined
    : structuredPatch('', '', oldText, newText, undefined, undefined, options)?.hunks;
}

function format(hunks: StructuredPatchHunk[]): string {
  // The names are written above, because the library would quote some of them as in C.
  const patch = { oldFileName: '', newFileName: '', hunks };
  return formatPatch({ ...patch, oldHeader: undefined, newHeader: undefined }, OMIT_HEADERS);
}

/** The number of lines shown around a change. */
const context = 3;
/** The most characters to compare. Both texts are split into lines without a pause. */
const maxCompared = 4_000_000;
/** The most lines removed and added. The time grows with the square of this number. */
const maxEditLength = 2000;
/** The longest time for finding the changed lines, in milliseconds. */
const timeout = 250;
