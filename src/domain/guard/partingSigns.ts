import { schemeLength } from './pathStart.ts';
import { isRemoteScheme } from './remoteSchemes.ts';

/** Where the signs are that part a list or an option, those of URIs and drives left out. */
export function partingSigns(text: string, until: number): readonly number[] {
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
      // `@~` and `HEAD@~1` are revisions of Git.
      return !/^@~(?:$|[~^:\d])/.test(text.slice(at, at + 3));
    case '=':
      // `(?:` and `(?=` open a group of a regular expression.
      return before !== '?' || text.charAt(at - 2) !== '(';
    case ':':
      return (before !== '?' || text.charAt(at - 2) !== '(') && !isInUrl(text, at);
    default:
      return true;
  }
}

/**
 * Whether the colon is that of a URL which is the value of an option, say. Of a list it is the sign
 * that parts it, so that not every word before it is the scheme of one.
 */
function isInUrl(text: string, at: number): boolean {
  if (!text.startsWith('//', at + 1) || /[\\/]/.test(text.charAt(at + 3))) {
    return false;
  }
  const [, scheme] = schemeOfValue.exec(text.slice(Math.max(0, at - 20), at)) ?? [];
  return scheme !== undefined && isRemoteScheme(scheme);
}

const schemeOfValue = /(?:^|[=,\s'"@])([a-z][a-z\d+]*)$/i;
