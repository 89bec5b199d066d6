import { statfsSync } from 'node:fs';

/**
 * Whether the opened entry at `path` is in a `proc` file system. Any `proc` mount shows the
 * environment of all processes, including this server's token.
 */
export function isInProc(path: string, { blocks }: { readonly blocks: number | bigint }): boolean {
  // Files in `proc` take no blocks on a disk. This check is quicker than the next.
  if (process.platform !== 'linux' || Number(blocks) > 0) {
    return false;
  }
  try {
    return statfsSync(path).type === 0x9fa0; // As in `linux/magic.h`.
  } catch {
    return true; // An unknown type means no access.
  }
}

/** The reason for refusing to read or change files in a `proc` file system. */
export const whyNotProc = 'The path is in a proc file system, which shows secrets of processes.';
