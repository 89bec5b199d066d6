/** The most text in one answer, in bytes. */
export const maxTextBytes = 1024 * 1024;

export const lineFeed = 10;

/**
 * How far a text may be answered: to the end of its `lines`-th line, or as far as the limit goes,
 * which is then moved back to the end of a line, or of a character where the line is too long.
 */
export function windowFrom(
  bytes: Buffer,
  lines: number,
): { readonly end: number; readonly lines: number; readonly isCut: boolean } {
  const fitting = fittingFrom(bytes);
  let found = 0;
  let afterLine = 0;
  let at = bytes.indexOf(lineFeed);
  while (at !== -1 && at < fitting) {
    found += 1;
    afterLine = at + 1;
    if (found === lines) {
      return { end: afterLine, lines: found, isCut: false };
    }
    at = bytes.indexOf(lineFeed, afterLine);
  }
  const isCut = fitting < bytes.length;
  const end = isCut ? afterLine || startOfCharacter(bytes, fitting, -1) : fitting;
  return { end, lines: found, isCut };
}

/** The same from the end: where the last `lines` lines begin. */
export function windowTo(
  bytes: Buffer,
  lines: number,
): { readonly begin: number; readonly isCut: boolean } {
  const first = bytes.length - fittingTo(bytes);
  let found = 0;
  let afterLine = 0;
  // The line feed at the very end belongs to the last line.
  let at = lastLineFeed(bytes, bytes.length - 1);
  while (at >= first) {
    found += 1;
    afterLine = at + 1;
    if (found === lines) {
      return { begin: afterLine, isCut: false };
    }
    at = lastLineFeed(bytes, at);
  }
  const isCut = first > 0;
  return { begin: isCut ? afterLine || startOfCharacter(bytes, first, 1) : 0, isCut };
}

/** The last line feed before a position, or -1. */
function lastLineFeed(bytes: Buffer, before: number): number {
  return before > 0 ? bytes.lastIndexOf(lineFeed, before - 1) : -1;
}

/** An answer carries its text twice, as JSON: twice this stays below the 8 MB a client may allow. */
const maxWeight = 2 * maxTextBytes;

/** How many of the first bytes fit into an answer. */
function fittingFrom(bytes: Buffer): number {
  const most = bytes.subarray(0, maxTextBytes);
  return fitsWhole(most) ? most.length : fittingOf(most.length, at => most[at]);
}

/** How many of the last bytes fit into an answer. */
function fittingTo(bytes: Buffer): number {
  const most = bytes.subarray(-maxTextBytes);
  return fitsWhole(most) ? most.length : fittingOf(most.length, at => most[most.length - 1 - at]);
}

// Looking for the few bytes that could make a text too heavy is quicker, by far, than to weigh it.
function fitsWhole(bytes: Buffer): boolean {
  return bytes.length * 6 <= maxWeight || !heavyBytes.some(byte => bytes.includes(byte));
}

function fittingOf(length: number, byteAt: (at: number) => number | undefined): number {
  let weight = 0;
  for (let at = 0; at < length; at++) {
    weight += weightOf(byteAt(at) ?? 0);
    if (weight > maxWeight) {
      return at;
    }
  }
  return length;
}

/** How many bytes a byte takes in JSON. */
function weightOf(byte: number): number {
  if (byte < 0x20) {
    return byte >= 8 && byte <= 13 && byte !== 11 ? 2 : 6;
  }
  return byte === 0x22 || byte === 0x5c ? 2 : 1;
}

/** The bytes that take more than two: all below a blank without a short form in JSON. */
const heavyBytes = [
  0, 1, 2, 3, 4, 5, 6, 7, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
  31,
];

function startOfCharacter(bytes: Buffer, from: number, step: 1 | -1): number {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) {
    at += step;
  }
  return at;
}
