import { expandBraces } from '../glob/braces.ts';
import type { PathPlatform } from '../paths/pathNames.ts';

/** Without the blanks, quotes and invisible characters around it, which many programs take off. */
export function stripped(text: string): string {
  if (isBare.test(text)) {
    return text;
  }
  let start = 0;
  let end = text.length;
  while (start < end && around.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && around.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}

const isBare = /^[\w./@-](?:[^\0]*[\w./])?$/;
const around = /[\s"'`\p{Cc}\p{Cf}]/u;

/** With its percent escapes decoded once; those that stand for no character stay. */
export function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replace(/%[0-7][\da-f]/gi, one => decodeURIComponent(one));
    }
  });
}

/**
 * With the forms of the signs of a path that Windows turns into those signs themselves for programs
 * that know no Unicode. No other system does that, and there they are characters like others.
 */
export function bestFit(text: string, platform: PathPlatform): string {
  return platform === 'win32' && /[^\0-\x7e]/.test(text)
    ? text
        .replace(/[\uff01-\uff5e]/g, one => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
        .replace(/[\u2044\u2215]/g, '/')
        // Before a digit they are signs of money.
        .replace(/[\u2216\u29f5]|[\xa5\u20a9](?!\d)/g, '\\')
        .replace(/\u2024/g, '.')
    : text;
}

/** Without the backslashes by which a POSIX shell takes the character behind as it is. */
export function unescaped(text: string, platform: PathPlatform): string {
  return platform !== 'win32' && text.includes('\\') ? text.replace(/\\([\s\S])/g, '$1') : text;
}

/** As a URL is read, which is without tabs and ends of lines. */
export function withoutBreaks(text: string): string {
  return text.replace(/[\t\r\n]/g, '');
}

/** As a program in C reads it, where that character ends a text. */
export function untilNul(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** What a shell makes of its braces; itself when there is nothing to expand. */
export function withoutBraces(text: string): readonly string[] {
  const open = text.indexOf('{');
  if (open < 0 || text.lastIndexOf('}') < text.indexOf(',', open)) {
    return [text];
  }
  const slashed = text.replaceAll('\\', '/');
  const expanded = text.length <= 1000 ? expandBraces(slashed, 64) : undefined;
  return expanded ?? slashed.split(/[{},]/);
}
