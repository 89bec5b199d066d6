/** The numbers of the system by which a file or folder is recognised under any name. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Whether both are the same file or folder. */
export function isSameFile(a: FileIdentity, b: FileIdentity | undefined): boolean {
  return b !== undefined && deviceOf(a) === deviceOf(b) && a.ino === b.ino;
}

/** The key of a file or folder, whatever its path: `device:inode`. */
export function placeOf(identity: FileIdentity): string {
  return `${deviceOf(identity)}:${identity.ino}`;
}

/**
 * The number of the file system. No system has one of more than 32 bits, but some releases of Node give
 * 64 for a path on Windows, and 32 for a link or what is open: https://github.com/libuv/libuv/pull/4698.
 */
export function deviceOf({ dev }: Pick<FileIdentity, 'dev'>): bigint {
  return BigInt.asUintN(32, dev);
}
