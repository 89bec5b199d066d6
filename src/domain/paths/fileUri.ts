import { posix, win32 } from 'node:path';
import { pathToFileURL, URL } from 'node:url';
import type { PathOutcome, PathPlatform } from './pathNames.ts';

/**
 * The `file:` URI of an absolute path in the one spelling that servers agree on.
 *
 * The drive letter is upper case, a UNC host stays the URI's host, nothing but the file system's
 * root ends in a slash, and every character with a meaning in a URI is percent-encoded.
 * (Model Context Protocol, client/roots: a root's `uri` MUST be a `file://` URI.) The user's
 * stored answers name a folder by this text: with another spelling they would no longer be found.
 */
export function fileUri(path: string, platform: PathPlatform): string {
  const windows = platform === 'win32';
  const upperCased = windows ? path.replace(/^[a-z]:/, drive => drive.toUpperCase()) : path;
  const { href } = pathToFileURL(withoutTrailingSlash(upperCased, windows ? win32 : posix), {
    windows,
  });
  // Node gives the root of another system than its own a slash too many.
  return href.replace(/(?<=:|\/\/)\/\/$/, '/');
}

function withoutTrailingSlash(path: string, { parse, normalize, sep }: typeof posix): string {
  const normal = normalize(path);
  return normal !== parse(normal).root && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}

/** Whether `text` says that it is a `file:` URI, in any letter case. */
export function isFileUri(text: string): boolean {
  return /^file:/i.test(text);
}

/**
 * The absolute path that a `file:` URI stands for, its percent escapes decoded exactly once.
 *
 * Parts that a parser would drop or invent in silence (fragment, query, credentials, blanks at the
 * end, a missing slash) is refused. The path is not checked any further.
 */
export function pathOfFileUri(uri: string, platform: PathPlatform): PathOutcome {
  const problem = uriProblem(uri);
  if (problem) {
    return { ok: false, reason: problem };
  }
  let url: URL;
  let path: string;
  try {
    url = new URL(uri);
    path = decodeURIComponent(url.pathname);
  } catch {
    return { ok: false, reason: 'It is a malformed file: URI.' };
  }
  if ((platform === 'win32' ? /%2f|%5c/i : /%2f/i).test(url.pathname)) {
    return { ok: false, reason: 'It holds an encoded separator.' };
  }
  if (path.includes('\0')) {
    return { ok: false, reason: 'It holds a NUL character.' };
  }
  return platform === 'win32' ? win32Path(url.host, path) : posixPath(url.host, path);
}

function uriProblem(uri: string): string | undefined {
  if (!/^file:[\\/]/i.test(uri)) {
    return 'It is a file: URI without an absolute path: write file:///folder/name.';
  }
  if (/[#?]/.test(uri)) {
    return 'It is a file: URI with a fragment or a query: write # as %23 and ? as %3F in names.';
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser cuts these off the end.
  if (/[\u0000-\u0020]$/.test(uri)) {
    return 'It is a file: URI that ends in a blank: write it as %20.';
  }
  return undefined;
}

function posixPath(host: string, path: string): PathOutcome {
  if (host !== '') {
    return { ok: false, reason: 'It is a file: URI of another machine.' };
  }
  return { ok: true, path };
}

function win32Path(host: string, path: string): PathOutcome {
  const native = path.replaceAll('/', '\\');
  if (host !== '') {
    return { ok: true, path: `\\\\${host}${native}` };
  }
  if (!/^\\[a-z]:(?:\\|$)/i.test(native)) {
    return { ok: false, reason: 'It is a file: URI without a drive letter.' };
  }
  return { ok: true, path: native.length === 3 ? `${native.slice(1)}\\` : native.slice(1) };
}
