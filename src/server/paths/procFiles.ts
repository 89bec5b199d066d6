import { statfsSync } from 'node:fs';

/**
 * Whether what was opened, and is reached by `path`, is in a `proc`: wherever that is mounted, it gives
 * the environment of all processes, this server's token with it.
 */
export function isInProc(path: string, { blocks }: { readonly blocks: number | bigint }): boolean {
  // Nothing there takes place on a disk, which is quicker to see.
  if (process.platform !== 'linux' || Number(blocks) > 0) {
    return false;
  }
  try {
    return statfsSync(path).type === 0x9fa0; // As in `linux/magic.h`.
  } catch {
    return true; // Not knowing means no access.
  }
}

/** The reason that nothing is read or changed there. */
export const whyNotProc = 'It lies in a proc file system, which shows what processes keep secret.';
