import type { PathPlatform } from '../paths/pathNames.ts';
import type { Found } from './foundPath.ts';
import { schemeLength, startsAsPath } from './pathStart.ts';
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
      if (index > 0 && index <= mostRests) {
        findInPart(text.slice(sign + 1), platform, found);
      }
    });
  }
  if (text.startsWith('-')) {
    // A short option is one letter, or several with an argument behind the last of them.
    const letters = /^-{1,2}[a-z\d-]*/i.exec(text)?.[0].length ?? 0;
    for (const length of new Set([2, letters])) {
      findInPart(text.slice(length), platform, found);
    }
  }
}

const mostRests = 4;

function findInPart(given: string, platform: PathPlatform, found: Found): void {
  const part = stripped(given);
  if (startsAsPath(part, platform)) {
    found('path', part);
  } else if (/[\\/]|\.\./.test(part)) {
    found('maybe', part);
  }
}

/** Where the signs are that part a list or an option, those of URIs and drives left out. */
function partingSigns(text: string, until: number): readonly number[] {
  const found: number[] = [];
  const sign = /[=,;:\n@]/g;
  sign.lastIndex = schemeLength(text.slice(0, 16));
  for (let one = sign.exec(text); one && one.index < until; one = sign.exec(text)) {
    if (isParting(text, one.index)) {
      found.push(one.index);
      const blanks = /\s{0,8}/y;
      blanks.lastIndex = one.index + 1;
      const start = one.index + 1 + (blanks.exec(text)?.[0].length ?? 0);
      sign.lastIndex = Math.max(
        start + schemeLength(text.slice(start, start + 16)),
        sign.lastIndex,
      );
    }
  }
  return found;
}

function isParting(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  switch (text.charAt(at)) {
    case '@':
      return at === 0 || /[=,;:\s'"]/.test(before);
    case '=':
    case ':':
      // `(?:` and `(?=` open a group of a regular expression.
      return before !== '?' || text.charAt(at - 2) !== '(';
    default:
      return true;
  }
}
