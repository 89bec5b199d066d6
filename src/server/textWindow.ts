/** The most text in one answer, in bytes. */
export const maxTextBytes = 1024 * 1024;

export const lineFeed = 10;

/**
 * How far a text may be answered: to the end of its `lines`-th line, or as far as the limit goes,
 * which is then moved back to the end of a line, or of a character where the line is too long.
 */
export function windowFrom(
  bytes: Uint8Array,
  lines: number,
): { readonly end: number; readonly lines: number; readonly isCut: boolean } {
  let weight = 0;
  let found = 0;
  let afterLine = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    weight += weightOf(byte);
    if (at >= maxTextBytes || weight > maxWeight) {
      return { end: afterLine || startOfCharacter(bytes, at, -1), lines: found, isCut: true };
    }
    if (byte === lineFeed) {
      found += 1;
      afterLine = at + 1;
      if (found === lines) {
        return { end: afterLine, lines: found, isCut: false };
      }
    }
  }
  return { end: bytes.length, lines: found, isCut: false };
}

/** The same from the end: where the last `lines` lines begin. */
export function windowTo(
  bytes: Uint8Array,
  lines: number,
): { readonly begin: number; readonly isCut: boolean } {
  let weight = 0;
  let found = 0;
  let afterLine = 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0;
    weight += weightOf(byte);
    if (bytes.length - at > maxTextBytes || weight > maxWeight) {
      return { begin: afterLine || startOfCharacter(bytes, at + 1, 1), isCut: true };
    }
    if (byte === lineFeed && at < bytes.length - 1) {
      found += 1;
      afterLine = at + 1;
      if (found === lines) {
        return { begin: afterLine, isCut: false };
      }
    }
  }
  return { begin: 0, isCut: false };
}

/** An answer carries its text twice, as JSON: twice this stays below the 8 MB a client may allow. */
const maxWeight = 2 * maxTextBytes;

/** How many bytes a byte takes in JSON. */
function weightOf(byte: number): number {
  if (byte < 0x20) {
    return byte >= 8 && byte <= 13 && byte !== 11 ? 2 : 6;
  }
  return byte === 0x22 || byte === 0x5c ? 2 : 1;
}

function startOfCharacter(bytes: Uint8Array, from: number, step: 1 | -1): number {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) {
    at += step;
  }
  return at;
}
