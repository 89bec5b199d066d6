/** Deeper than any message that says something; and what recurses over it has room for that. */
const deepest = 1000;
/** To read so many objects and lists takes about 50 ms. */
const mostBrackets = 250_000;

/** JSON of no more bytes than this costs little, whatever it is. */
export const harmlessLength = deepest;

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
  private readonly marks = marksOfBytes();
  private depth = 0;
  private brackets = 0;
  private isInString = false;
  private isEscaped = false;
  private isExceeded = false;

  /** Adds what comes next, and answers whether nobody should read what has come until now. */
  add(bytes: Uint8Array): boolean {
    // In variables, by index and with a table: otherwise it takes longer than to read most JSON.
    let { depth, brackets, isInString, isEscaped, isExceeded } = this;
    const { marks } = this;
    for (let index = 0; index < bytes.length && !isExceeded; index++) {
      const mark = marks[bytes[index] ?? 0] ?? plain;
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

function marksOfBytes(): Uint8Array {
  const marks = new Uint8Array(256);
  const mark = (characters: string, value: number) => {
    for (const byte of Buffer.from(characters)) {
      marks[byte] = value;
    }
  };
  mark('\r\n', lineEnd);
  mark('"', quote);
  mark('\\', backslash);
  mark('[{', opening);
  mark(']}', closing);
  return marks;
}
