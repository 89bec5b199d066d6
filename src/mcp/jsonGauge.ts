import { holdsMore } from '../base/holdsMore.ts';

/** Deeper than any message that says something; and what recurses over it has room for that. */
const deepest = 1000;
/** To read so many objects and lists takes about 50 ms. */
const mostBrackets = 250_000;

/** Whether JSON is certain to be no such one: it has fewer brackets than are too deep. */
export function isHarmless(json: string): boolean {
  return !holdsMore(json, deepest, '{', '[');
}

/** What a byte can be to it. */
const plain = 0;
const lineEnd = 1;
const quote = 2;
const backslash = 3;
const opening = 4;
const closing = 5;

/**
 * Tells JSON that costs far more to read than its length says, while it comes in: one that is nested
 * without end, or is nothing but empty lists. To look at each byte costs little beside that.
 */
export class JsonGauge {
  private depth = 0;
  private brackets = 0;
  private isInString = false;
  private isEscaped = false;
  private isExceeded = false;

  /** Adds what comes next, and answers whether nobody should read what has come until now. */
  add(bytes: Uint8Array): boolean {
    // In variables and by index: otherwise it takes longer than to read most JSON.
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

/** No table: most lines are so short that to make one took longer than to read them. */
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
