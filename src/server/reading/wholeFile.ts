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
    const bytes = stats.size > mostWholeBytes ? undefined : read(fd, stats.size);
    return bytes ? { ok: true, value: { path, bytes } } : tooLarge(input, stats.size);
  } finally {
    closeSync(fd);
  }
}

/** The size is a hint: a file may grow, and special ones claim to be empty. */
function read(fd: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(Math.max(size, 64 * 1024) + 1);
  const length = readInto(fd, bytes);
  return length > mostWholeBytes ? undefined : bytes.subarray(0, length);
}

function tooLarge(input: string, size: number) {
  const reason =
    `It has ${size} bytes, and ${mostWholeBytes} is the most that is read whole. ` +
    'Of text, read-file reads parts.';
  return unusable(input, reason);
}
