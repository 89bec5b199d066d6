import { closeSync } from 'node:fs';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { openFileInside } from '../paths/openInside.ts';
import { type Outcome, unusable } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { readInto } from '../search/folderTree.ts';

/**
 * The largest file that is given whole, in bytes: 5 MB in base64, which is the most that common
 * models take for one image, and stays below `longestMessage`.
 */
export const mostWholeBytes = 3.75 * 1024 * 1024;

/** All that a file holds. */
export interface WholeFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads a regular file in a root, if it is not larger than what is given whole. Synchronous, so
 * that of many calls no more than one holds a file in memory before it is answered.
 */
export function wholeFileInside(scope: PathScope<RootFolder>, input: string): Outcome<WholeFile> {
  const opened = openFileInside(scope, input);
  if (!opened.ok) {
    return opened;
  }
  const { fd, path, stats } = opened.value;
  try {
    // The size is a hint: a file may grow, and special ones claim to be empty.
    const room = Math.min(Math.max(stats.size, 64 * 1024), mostWholeBytes) + 1;
    const bytes = Buffer.allocUnsafe(room);
    const length = readInto(fd, bytes);
    if (length <= mostWholeBytes) {
      return { ok: true, value: { path, bytes: bytes.subarray(0, length) } };
    }
    const size = `It has ${stats.size} bytes, and ${mostWholeBytes} is the most that is read whole.`;
    return unusable(input, `${size} Of text, read-file reads parts.`);
  } finally {
    closeSync(fd);
  }
}
