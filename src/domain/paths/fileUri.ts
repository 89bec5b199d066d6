import { posix, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PathPlatform } from './pathNames.ts';

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
