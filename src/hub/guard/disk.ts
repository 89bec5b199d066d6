import { accessSync, constants, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, parse, relative, sep } from 'node:path';
import { locatePath } from '../../server/paths/locate.ts';

/** What the guard wants to know of the disk of this machine. All paths are absolute and without `..`. */
export const thisDisk = { locate: locatePath, isThere, isFirstThere, canBeMade, kernelPath };

/** That disk, or one that a test makes up. */
export type GuardDisk = typeof thisDisk;

/** Whether something is there, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // What may not be looked at can be there; what no name or folder can be is not.
    return (
      error instanceof Error && 'code' in error && /^E(?:ACCES|PERM|BUSY)$/.test(`${error.code}`)
    );
  }
}

/** Whether the first folder of a path stands on this machine in that spelling. */
function isFirstThere(path: string): boolean {
  const { root } = parse(path);
  const [first = ''] = relative(root, path).split(sep);
  try {
    return readdirSync(root).includes(first);
  } catch {
    return true;
  }
}

/** Whether this user could make what is not there: the nearest folder above it can be written to. */
function canBeMade(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isThere(folder) || folder === dirname(folder)) {
      try {
        accessSync(folder, constants.W_OK);
        return lstatSync(folder).isDirectory() || lstatSync(realpathSync(folder)).isDirectory();
      } catch {
        return false;
      }
    }
  }
}

/**
 * Where a path that may hold `..` leads for the kernel, which goes up from where a link leads and not
 * from where it stands; `undefined` when that can't be told.
 */
function kernelPath(path: string): string | undefined {
  const names = path.split('/');
  // What follows the last `..` may still have to be made.
  const end = names.lastIndexOf('..') + 1;
  try {
    const folder = realpathSync.native(names.slice(0, end).join('/') || '/');
    return [folder === '/' ? '' : folder, ...names.slice(end)].join('/');
  } catch {
    return undefined;
  }
}
