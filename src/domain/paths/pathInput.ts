import { posix, win32 } from 'node:path';
import { isFileUri, pathOfFileUri } from './fileUri.ts';
import { nameProblem, type PathOutcome, type PathPlatform, textProblem } from './pathNames.ts';

/**
 * Reads a path from a client: absolute, a `file:` URI, or relative to `base`.
 *
 * The result is absolute and normalized, without a separator at its end. No file is touched.
 * Nothing is trimmed, expanded (`~`, `$`) or decoded, except the escapes of a `file:` URI, once. So
 * the path that is checked is, character by character, the path that is opened.
 */
export function parsePath(input: unknown, platform: PathPlatform, base?: string): PathOutcome {
  if (typeof input !== 'string') {
    return refuse('The path is not text.');
  }
  const problem = textProblem(input, platform);
  if (problem) {
    return refuse(problem);
  }
  if (isFileUri(input)) {
    const decoded = pathOfFileUri(input, platform);
    return decoded.ok ? normalise(decoded.path, platform, undefined) : decoded;
  }
  if (input.startsWith('~')) {
    return refuse('The path starts with "~", which is not expanded. Write the whole path.');
  }
  return normalise(input, platform, base);
}

/**
 * An absolute path with one spelling for each drive and share: the drive letter in upper case, the
 * host and share of a UNC path in lower case. POSIX paths stay unchanged.
 */
export function canonicalStart(path: string, platform: PathPlatform): string {
  if (platform !== 'win32') {
    return path;
  }
  const start = /^(?:[a-z]:|\\\\[^\\]+\\[^\\]+)/i.exec(path)?.[0] ?? '';
  const canonical = start.startsWith('\\') ? asciiLower(start) : start.toUpperCase();
  return canonical + path.slice(start.length);
}

/** The text with A to Z in lower case. File systems and JavaScript disagree on other letters. */
export function asciiLower(text: string): string {
  return nonAscii.test(text)
    ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
    : text.toLowerCase();
}

/** A fast path: most texts are ASCII, and JavaScript's own lower case is far quicker. */
const nonAscii = /[\u0080-\uffff]/;

function normalise(text: string, platform: PathPlatform, base: string | undefined): PathOutcome {
  const problem = platform === 'win32' ? win32Problem(text) : posixProblem(text, platform);
  if (problem) {
    return refuse(problem);
  }
  if (platform !== 'win32' && isNormal(text)) {
    return { ok: true, path: text };
  }
  if (!isWhole(text, platform) && base === undefined) {
    return refuse('Relative paths start in a shared folder, but no folder is shared.');
  }
  const rules = platform === 'win32' ? win32 : posix;
  const path = rules.resolve(base ?? rules.sep, text);
  const tooLong = textProblem(path, platform);
  return tooLong ? refuse(tooLong) : { ok: true, path: canonicalStart(path, platform) };
}

/** Whether an absolute POSIX path is already normalized. This check is quicker than normalizing. */
function isNormal(text: string): boolean {
  return text.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(text);
}

/** Whether the path is complete. On Windows, `\name` lacks the drive. */
export function isWhole(text: string, platform: PathPlatform): boolean {
  return platform === 'win32' ? /^(?:[a-z]:|[\\/]{2})/i.test(text) : text.startsWith('/');
}

function posixProblem(text: string, platform: PathPlatform): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    return otherScheme;
  }
  // So short a path has no name over the limit of 255 bytes: a unit takes at most three bytes.
  const isShort = platform === 'linux' && text.length <= 85;
  return isShort ? undefined : nameProblem(text.split('/'), platform);
}

function win32Problem(text: string): string | undefined {
  if (/^[\\/]{2}[?.](?:[\\/]|$)|^[\\/]\?\?/.test(text)) {
    return 'The path begins with \\\\?\\ or \\\\.\\, which switches checks off. Write the plain path.';
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    return otherScheme;
  }
  if (/^[a-z]:(?![\\/])/i.test(text)) {
    return 'The path names a drive without a folder. Write a backslash after the colon.';
  }
  if (/^[\\/]{2}/.test(text) && !uncStart.test(text)) {
    return 'The path names a network server without a share.';
  }
  return nameProblem(text.replace(/^[a-z]:/i, '').split(/[\\/]+/), 'win32');
}

/** A server and a share. `.` and `..` are no names here, because Node would not resolve them. */
const uncStart = /^[\\/]{2}(?!\.{1,2}[\\/])[^\\/]+[\\/]+(?!\.{1,2}(?:[\\/]|$))[^\\/]+/;

/** The reason when a text is refused because of a colon in it. */
export const otherScheme =
  'The path looks like a URI that does not begin with file:. Before a name with a colon, write "./".';

function refuse(reason: string): PathOutcome {
  return { ok: false, reason };
}
