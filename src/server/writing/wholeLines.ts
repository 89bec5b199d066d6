import type { TextChange } from './textPieces.ts';

/** A text before and after, and where it changed. */
export interface ChangedText {
  readonly oldText: string;
  readonly newText: string;
  readonly changes: readonly TextChange[];
}

/** Yields the changes, longer or shorter so that they begin and end with whole lines in both texts. */
export function* inWholeLines({ oldText, newText, changes }: ChangedText): Generator<TextChange> {
  let open: TextChange | undefined;
  for (const wide of changes) {
    const change = withoutCommonEnds(oldText, newText, wide);
    // Nothing is searched for twice in a line, however long it is and often it changed.
    const from = open && change.oldFrom < open.oldTo ? -1 : lineStart(oldText, change.oldFrom);
    if (open && from < open.oldTo) {
      const { oldFrom, newFrom, oldTo } = open;
      open = toLineEnd(oldText, newText, { ...change, oldFrom, newFrom }, oldTo);
    } else {
      if (open) {
        yield open;
      }
      const newFrom = change.newFrom - (change.oldFrom - from);
      open = toLineEnd(oldText, newText, { ...change, oldFrom: from, newFrom }, 0);
    }
  }
  if (open) {
    yield open;
  }
}

/** Leaves out what a change puts back as it was: old texts are often longer than what changes. */
function withoutCommonEnds(oldText: string, newText: string, change: TextChange): TextChange {
  let { oldFrom, oldTo, newFrom, newTo } = change;
  while (oldFrom < oldTo && newFrom < newTo && oldText[oldFrom] === newText[newFrom]) {
    oldFrom += 1;
    newFrom += 1;
  }
  while (oldFrom < oldTo && newFrom < newTo && oldText[oldTo - 1] === newText[newTo - 1]) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

/** `known` is the end of a line that was found before; after the change, both texts are the same. */
function toLineEnd(
  oldText: string,
  newText: string,
  change: TextChange,
  known: number,
): TextChange {
  const { oldTo, newTo } = change;
  const isEnd = isLineStart(oldText, oldTo) && isLineStart(newText, newTo);
  let end = oldTo;
  if (oldTo < known) {
    end = known;
  } else if (!isEnd) {
    end = oldText.indexOf('\n', oldTo) + 1 || oldText.length;
  }
  return { ...change, oldTo: end, newTo: newTo + (end - oldTo) };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}
