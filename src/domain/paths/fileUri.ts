import { posix, win32 } from 'node:path';
import { pathToFileURL, URL } from 'node:url';
import type { PathOutcome, PathPlatform } from './pathNames.ts';

/**
 * The `file:` URI of an absolute path, in the one spelling on which servers agree.
 *
 * The drive letter is upper case, and a UNC host stays the URI's host. Only the file system's root
 * ends in a slash. Every character with a meaning in a URI is percent-encoded. (Model Context
 * Protocol, client/roots: a root's `uri` MUST be a `file://` URI.) Stored answers name a folder by
 * this URI, so another spelling would lose the answers.
 */
export function fileUri(path: string, platform: PathPlatform): string {
  const windows = platform === 'win32';
  const upperCased = windows ? path.replace(/^[a-z]:/, drive => drive.toUpperCase()) : path;
  const { href } = pathToFileURL(withoutTrailingSlash(upperCased, windows ? win32 : posix), {
    windows,
  });
  // For the root of another system, Node adds a slash too many.
  return href.replace(/(?<=:|\/\/)\/\/$/, '/');
}

function withoutTrailingSlash(path: string, { parse, normalize, sep }: typeof posix): string {
  const normal = normalize(path);
  return normal !== parse(normal).root && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}

/** Whether `text` begins as a `file:` URI, in any letter case. */
export function isFileUri(text: string): boolean {
  return /^file:/i.test(text);
}

/**
 * The absolute path that a `file:` URI stands for, with its percent escapes decoded exactly once.
 *
 * Refuses what a parser would silently drop or add: fragment, query, credentials, blanks at the
 * end, a missing slash. The path itself is not checked.
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
    return { ok: false, reason: 'The file URI is malformed.' };
  }
  if ((platform === 'win32' ? /%2f|%5c/i : /%2f/i).test(url.pathname)) {
    return { ok: false, reason: 'The file URI has an encoded separator (%2F or %5C). Write "/".' };
  }
  if (path.includes('\0')) {
    return { ok: false, reason: 'The file URI holds a NUL character.' };
  }
  // A parser drops a leading ".", so `file:////./pipe/x` would name a server "pipe".
  if (platform === 'win32' && /^file:[\\/]{4,}(?:\.|%2e|%3f)/i.test(uri)) {
    return { ok: false, reason: 'The path in the file URI is a device, or begins with \\\\?\\.' };
  }
  return platform === 'win32' ? win32Path(url.host, path) : posixPath(url.host, path);
}

function uriProblem(uri: string): string | undefined {
  if (!/^file:[\\/]/i.test(uri)) {
    return 'The file URI has no absolute path. Write file:///folder/name.';
  }
  if (/[#?]/.test(uri)) {
    return 'The file URI has a # or a ?. In a name, write # as %23 and ? as %3F.';
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser cuts these off the end.
  if (/[\u0000-\u0020]$/.test(uri)) {
    return 'The file URI ends in a blank. Write the blank as %20.';
  }
  return undefined;
}

function posixPath(host: string, path: string): PathOutcome {
  if (host !== '') {
    return { ok: false, reason: 'The file URI names another machine. Write file:///path.' };
  }
  return { ok: true, path };
}

function win32Path(host: string, path: string): PathOutcome {
  const native = path.replaceAll('/', '\\');
  if (host !== '') {
    return { ok: true, path: `\\\\${host}${native}` };
  }
  if (native.startsWith('\\\\')) {
    // java.io.File and Eclipse write a network share with its server in the path.
    return { ok: true, path: native.replace(/^\\+/, '\\\\') };
  }
  if (!/^\\[a-z]:(?:\\|$)/i.test(native)) {
    return { ok: false, reason: 'The file URI has no drive letter. Write file:///C:/folder.' };
  }
  return { ok: true, path: native.length === 3 ? `${native.slice(1)}\\` : native.slice(1) };
}
