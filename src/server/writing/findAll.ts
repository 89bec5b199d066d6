import { LinearSearch } from './linearSearch.ts';
import type { Steps } from './steps.ts';

/** How often a text is looked for. */
export interface FindOptions {
  readonly limit: number;
  /** Whether places may not overlap. */
  readonly isApart: boolean;
}

/**
 * Where `part`, which is not empty, stands in `text`, at most `limit` times.
 *
 * It takes time in proportion to the lengths of both: where the quick way is slow, it goes on
 * with another.
 */
export function* findAll(text: string, part: string, options: FindOptions): Steps<number[]> {
  const found: number[] = [];
  const rest = yield* findQuickly({ text, part, found }, options);
  if (rest < text.length && found.length < options.limit) {
    yield* findLinearly({ text, part, found }, rest, options);
  }
  return found;
}

interface Search {
  readonly text: string;
  readonly part: string;
  readonly found: number[];
}

/** Looks for the beginning of the part, and then compares. Answers from where on it gave up. */
function* findQuickly(
  { text, part, found }: Search,
  { limit, isApart }: FindOptions,
): Steps<number> {
  const start = part.slice(0, startLength);
  let comparable = text.length + 1000 * startLength;
  let from = 0;
  while (from + part.length <= text.length && found.length < limit) {
    // In the same slice of the text, so that nothing is searched for longer than a step may take.
    const end = Math.min(from + stepLength, text.length);
    const place = text.slice(from, end + start.length - 1).indexOf(start);
    yield;
    if (place < 0) {
      from = end;
      continue;
    }
    from += place;
    comparable -= part.length;
    if (comparable < 0) {
      return from;
    }
    const isFound = text.startsWith(part, from);
    if (isFound) {
      found.push(from);
    }
    from += isFound && isApart ? part.length : 1;
  }
  return text.length;
}

function* findLinearly(
  { text, part, found }: Search,
  start: number,
  { limit, isApart }: FindOptions,
): Steps<void> {
  const search = new LinearSearch(part);
  for (let from = start; from < text.length && found.length < limit; ) {
    const end = Math.min(from + stepLength, text.length);
    const place = search.next(text, from, end);
    yield;
    if (place < 0) {
      from = end;
      continue;
    }
    found.push(place);
    from = place + part.length;
    if (isApart) {
      search.restart();
    }
  }
}

/** Short enough that `indexOf` is never much slower than looking at each character. */
const startLength = 32;
/** How much of a text is looked through in one step. */
const stepLength = 64 * 1024;
