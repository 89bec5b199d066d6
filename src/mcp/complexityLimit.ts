import { hasMoreBrackets } from '../base/jsonBrackets.ts';

/** Deeper than any sensible message, and within what recursive functions can handle. */
const deepest = 1000;
/** Limit of objects and lists in a message: parsing so many takes about 50 ms. */
const mostBrackets = 250_000;

/** Quick check: with at most `deepest` opening brackets, JSON cannot be too complex. */
export function isHarmless(json: string): boolean {
  return !hasMoreBrackets(json, deepest);
}

const plain = 0;
const lineEnd = 1;
const quote = 2;
const backslash = 3;
const opening = 4;
const closing = 5;

/**
 * Recognizes, while it comes in, JSON that costs far more to parse than its length suggests: nested
 * without end, or nothing but empty lists. Looking at each byte costs little in comparison.
 */
export class ComplexityLimit {
  private depth = 0;
  private brackets = 0;
  private isInString = false;
  private isEscaped = false;
  private isExceeded = false;

  /** Adds the next bytes, and answers whether the JSON until now is too complex to be parsed. */
  add(bytes: Uint8Array): boolean {
    // Local variables and an index: otherwise this takes longer than parsing most JSON.
    let { depth, brackets, isInString, isEscaped, isExceeded } = this;
    for (let index = 0; index < bytes.length && !isExceeded; index++) {
      const mark = markOf(bytes[index] ?? 0);
      if (mark === plain || (isEscaped && mark !== lineEnd)) {
        isEscaped = false;
      } else if (isInString) {
        isEscaped = mark === backslash;
        // No string has a line end in it, so that a quote in an earlier line, such as a comment
        // between events, can't make the JSON after it look like one.
        isInString = mark > quote;
      } else if (mark === opening) {
        depth += 1;
        brackets += 1;
        isExceeded = depth > deepest || brackets > mostBrackets;
      } else if (mark === closing) {
        depth -= 1;
      } else {
        isInString = mark === quote;
      }
    }
    Object.assign(this, { depth, brackets, isInString, isEscaped, isExceeded });
    return isExceeded;
  }
}

/** Not by a table: most lines are so short that making one would take longer than reading them. */
function markOf(byte: number): number {
  switch (byte) {
    case 0x0a: // \n
    case 0x0d: // \r
      return lineEnd;
    case 0x22: // "
      return quote;
    case 0x5c: // \
      return backslash;
    case 0x5b: // [
    case 0x7b: // {
      return opening;
    case 0x5d: // ]
    case 0x7d: // }
      return closing;
    default:
      return plain;
  }
}
