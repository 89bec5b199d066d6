import type { PathPlatform } from './pathNames.ts';

/**
 * A path as a key for comparison: the names of the path, each after a slash. Two keys are equal if
 * the file system may take the paths for the same. On Windows and macOS, keys ignore letter case.
 *
 * On a disk that respects letter case, different folders may have equal keys. So a key may forbid
 * or warn, but must never grant: an answer on one folder would hold for another.
 */
export type PathKey = string & { readonly isPathKey: true };

/** The key of an absolute, normalized path. */
export function pathKey(path: string, platform: PathPlatform): PathKey {
  const names = path.split(platform === 'win32' ? /[\\/]/ : '/');
  return keyOf(names.filter(name => name !== '').map(name => foldName(name, platform)));
}

/** The key of the path with these names. The names come from a key. */
export function keyOf(names: readonly string[]): PathKey {
  return names.map(name => `/${name}`).join('') as PathKey;
}

/** The names of a key, the outermost first; empty for the root of everything. */
export function namesIn(key: PathKey): readonly string[] {
  return key.split('/').slice(1);
}

/**
 * The form that all spellings of a name share. At worst, different names share a form. Upper case
 * comes first: like APFS, this unites letters that only share their capital.
 */
export function foldName(name: string, platform: PathPlatform): string {
  return platform === 'linux' ? name : name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Whether a path lies below another path. A path is not below itself. */
export function isBelow(inner: PathKey, outer: PathKey): boolean {
  return inner.length > outer.length && inner.startsWith(`${outer}/`);
}

/** The number of names below the root of the path's drive: 0 for the root itself. */
export function depthInDrive(key: PathKey, platform: PathPlatform): number {
  const names = namesIn(key);
  // A network share starts with two names, a path on a drive with its letter.
  const root = platform !== 'win32' ? 0 : /^[a-z]:$/.test(names[0] ?? '') ? 1 : 2;
  return names.length - root;
}
