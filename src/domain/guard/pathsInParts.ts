import type { PathPlatform } from '../paths/pathNames.ts';
import { isEncodedData } from './encodedData.ts';
import type { Found } from './foundPath.ts';
import { partingSigns } from './partingSigns.ts';
import { startsAsPath } from './pathStart.ts';
import { stripped } from './rewriting.ts';

/**
 * Finds the paths that a text may be a list of, or an option with: `/a:/b`, `--output=/a`, `-I/a`,
 * `name=@/a`. Only signs before `until` part it.
 */
export function findInParts(
  text: string,
  platform: PathPlatform,
  until: number,
  found: Found,
): void {
  const ends = partingSigns(text, until);
  if (ends.length > 0) {
    [-1, ...ends].forEach((sign, index) => {
      const end = ends[index] ?? text.length;
      // What stands before the first `=` is a name.
      if (index > 0 || text.charAt(end) !== '=') {
        findInPart(text.slice(sign + 1, end), platform, found);
      }
      // The value of an option may hold such signs itself.
      if (index > 0 && index <= mostRests && index < ends.length) {
        findInPart(text.slice(sign + 1), platform, found);
      }
    });
  }
  if (text.startsWith('-')) {
    findInOption(text, platform, found);
  }
}

const mostRests = 4;

/** A short option is one letter, or several with an argument behind the last of them. */
function findInOption(text: string, platform: PathPlatform, found: Found): void {
  const isLong = text.startsWith('--');
  if (isLong && !/[\\/~%$]/.test(text)) {
    return;
  }
  const letters = /^-{1,2}[a-z\d-]*/i.exec(text)?.[0].length ?? 0;
  for (const length of new Set([2, letters])) {
    findInPart(text.slice(length), platform, found);
  }
}

/** A name that is nothing else whatever is made of it. */
export const isPlainName = /^\.?\w[\w.]{0,254}$/;

/** Finds a path in what stands between two signs or blanks. */
export function findInPart(given: string, platform: PathPlatform, found: Found): void {
  if (isPlainName.test(given)) {
    found('name', given);
    return;
  }
  const part = stripped(given).replace(/^[<>]+/, '');
  if (isEncodedData(part)) {
    return;
  }
  if (startsAsPath(part, platform)) {
    found('path', part);
  } else {
    findMaybe(part, found);
  }
}

/** Notes what can lead outside by climbing or by a link; no other text of several words. */
export function findMaybe(text: string, found: Found): void {
  if (/[\\/]|\.\./.test(text)) {
    found('maybe', text);
  } else if (/^[^\s-]\S{0,254}$/.test(text)) {
    found('name', text);
  }
}
