import { posix, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whose rules a path follows: `posix` on Linux and macOS, `windows` on Windows. */
export type PathStyle = 'posix' | 'windows';

/**
 * The `file:` URI of an absolute path in the one spelling that servers agree on.
 *
 * The drive letter is upper case, a UNC host stays the URI's host, nothing but the file system's
 * root ends in a slash, and every character with a meaning in a URI is percent-encoded.
 * (Model Context Protocol, client/roots: a root's `uri` MUST be a `file://` URI.) Kept answers are
 * compared by this text: another spelling would void them.
 */
export function fileUri(path: string, style: PathStyle): string {
  const windows = style === 'windows';
  const upperCased = windows ? path.replace(/^[a-z]:/, drive => drive.toUpperCase()) : path;
  const { href } = pathToFileURL(withoutTrailingSlash(upperCased, style), { windows });
  // Node gives the root of a drive a second slash when it runs on another system than Windows.
  return href.replace(/:\/\/$/, ':/');
}

function withoutTrailingSlash(path: string, style: PathStyle): string {
  const { parse, normalize, sep } = style === 'windows' ? win32 : posix;
  const normal = normalize(path);
  return normal !== parse(normal).root && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}

/** The URIs of a `text/uri-list`, in their order: one a line, comments left out. (RFC 2483, section 5.) */
export function readUriList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}
