import { statfsSync } from 'node:fs';

/**
 * Whether what was opened, and is reached by `path`, is in a file system of the kernel: `proc` gives
 * the environment of all processes, this server's token with it, wherever it is mounted.
 */
export function isOfKernel(
  path: string,
  { blocks }: { readonly blocks: number | bigint },
): boolean {
  // Nothing there takes place on a disk, which is quicker to see.
  if (process.platform !== 'linux' || Number(blocks) > 0) {
    return false;
  }
  try {
    return kernelTypes.has(statfsSync(path).type);
  } catch {
    return true; // Not knowing yet means no access.
  }
}

/** The numbers of proc, sysfs, cgroup, cgroup2, debugfs, tracefs and securityfs in `linux/magic.h`. */
const kernelTypes: ReadonlySet<number> = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673,
]);

/** The reason that nothing is read or changed there. */
export const kernelsOwn =
  'It lies in a file system of the kernel, which shows processes and what they keep secret.';
