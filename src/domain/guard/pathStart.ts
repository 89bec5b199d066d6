import type { PathPlatform } from '../paths/pathNames.ts';
import { pathOfLocalUri } from './localUri.ts';
import { isInVariable, withWordsOfVariables } from './variables.ts';

/**
 * Whether a text begins as a path that says by itself where it leads: absolute in the notation of
 * any system, a `file:` URI, in a home folder, or in the folder that a variable stands for.
 */
export function startsAsPath(text: string, platform: PathPlatform): boolean {
  switch (text.charAt(0)) {
    case '/':
      return true;
    case '\\':
      return unc.test(text) || (platform === 'win32' && rootRelative.test(text));
    case '~':
      // `~1.2`, `~=1.2` and `~> 1.2` are versions, `~~this~~` is struck out.
      return !/^~[\d=>\s~]/.test(text);
    case '$':
    case '%':
    case '!':
      return isInVariable(text) || wordStartsAsPath(text, platform);
    default:
      if (!text.includes(':')) {
        return false;
      }
      return (
        drive.test(text) ||
        (platform === 'win32' && driveRelative.test(text)) ||
        /^(?:[a-z.-]+\+)?file:\S/i.test(text)
      );
  }
}

/** Of `${name:-/a}` that is the `/a`. */
function wordStartsAsPath(text: string, platform: PathPlatform): boolean {
  const word = withWordsOfVariables(text);
  return word !== text && (/^[$%!]/.test(word) ? isInVariable(word) : startsAsPath(word, platform));
}

/** How long the sign is that such a path begins with, where it holds a colon; else 0. */
export function schemeLength(text: string): number {
  return /^(?:file:(?:\/{1,3}[a-z]:(?=\/))?|[a-z]:(?=[\\/]))/i.exec(text)?.[0].length ?? 0;
}

/** Whether a text is a URL, as a whole and of another kind than `file:`. */
export function isUrl(text: string): boolean {
  return (
    text.includes('://') &&
    /^(?!file:|[a-z.-]+\+file:)[a-z][a-z\d+.-]*:\/\//i.test(text) &&
    pathOfLocalUri(text) === undefined
  );
}

/** Whether a segment of it, between slashes of either kind, is `..`. */
export function climbs(text: string): boolean {
  return text.includes('..') && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text);
}

const drive = /^[a-z]:[\\/]/i;
/** A server and a share, or a device. Two backslashes begin many a regular expression as well. */
const unc = /^\\\\(?:[?.][\\/]|[^\\/\s]+[\\/](?![\\/]))/;
/** Not so the escapes of a regular expression or of TeX. */
const rootRelative =
  /^\\(?!.*\\b$|[^\\/]*[+*?{}])[\p{L}\p{N}_.$-][^\\/:*?"<>|^]+(?:\\[^:*?"<>|^]*)?$/u;
/** Relative to the folder that a process works in on that drive. */
const driveRelative = /^[a-z]:[^\s:\\/]+[\\/]/i;
