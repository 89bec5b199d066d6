import { type BigIntStats, lstatSync } from 'node:fs';

/** What is at a path at this moment, a link itself and not what it leads to; `undefined`: nothing. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** What it takes to recognise a file or folder under any name. */
export type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/** Whether both are the same file or folder. */
export function isSame(a: Identity, b: Identity | undefined): boolean {
  return a.dev === b?.dev && a.ino === b?.ino;
}

/** Whether both are the same file, and nothing was written to it in between. */
export function isUntouched(a: BigIntStats, b: BigIntStats | undefined): boolean {
  return isSame(a, b) && a.size === b?.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

export type EntryType = 'file' | 'directory' | 'link' | 'other';

/** What an entry is itself, whatever it leads to. */
export function typeOf(stats: BigIntStats): EntryType {
  if (stats.isSymbolicLink()) {
    return 'link';
  }
  if (stats.isDirectory()) {
    return 'directory';
  }
  return stats.isFile() ? 'file' : 'other';
}
