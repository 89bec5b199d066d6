import type { PathPlatform } from './pathNames.ts';

/**
 * A path in a form in which two are equal if the file system may take them for one: the names in
 * it, each after a slash, without regard to letter case on Windows and macOS.
 *
 * Different folders may have equal keys, as on a disk that tells letter cases apart. So a key may
 * forbid or warn, and must never grant: an answer on one folder would hold for another.
 */
export type PathKey = string & { readonly isPathKey: true };

/** The key of an absolute, normalised path. */
export function pathKey(path: string, platform: PathPlatform): PathKey {
  const names = path.split(platform === 'win32' ? /[\\/]/ : '/');
  return keyOf(names.filter(name => name !== '').map(name => foldName(name, platform)));
}

/** The key of the path made of these names, which come from a key. */
export function keyOf(names: readonly string[]): PathKey {
  return names.map(name => `/${name}`).join('') as PathKey;
}

/** The names a key is made of, the outermost first; none for the root of everything. */
export function namesIn(key: PathKey): readonly string[] {
  return key.split('/').slice(1);
}

/**
 * A name in the form that all its spellings share. Too many are equal rather than too few: the way
 * over capitals makes one letter of those that have only their capital in common, as APFS does.
 */
export function foldName(name: string, platform: PathPlatform): string {
  return platform === 'linux' ? name : name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Whether a path lies below another, and is not that itself. */
export function isBelow(inner: PathKey, outer: PathKey): boolean {
  return inner.length > outer.length && inner.startsWith(`${outer}/`);
}

/** The number of names in a path below the root of its drive: none for the root itself. */
export function depthInDrive(key: PathKey, platform: PathPlatform): number {
  const names = namesIn(key);
  // A share of another machine is named by two names, a drive of this one by its letter.
  const root = platform !== 'win32' ? 0 : /^[a-z]:$/.test(names[0] ?? '') ? 1 : 2;
  return names.length - root;
}
