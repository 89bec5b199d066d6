/** The numbers of the system by which a file or folder is recognised under any name. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The same with the time at which the file was made, in nanoseconds; 0: the system does not tell it. */
export interface DatedIdentity extends FileIdentity {
  readonly birthtimeNs: bigint;
}

/** Whether both are the same file or folder. */
export function isSameFile(a: FileIdentity, b: FileIdentity | undefined): boolean {
  return b !== undefined && deviceOf(a) === deviceOf(b) && a.ino === b.ino;
}

/**
 * The key of a file or folder, whatever its path: `device:inode:birthtime`, without the last part where
 * the system tells none. A folder that is removed leaves its inode to the next one.
 */
export function placeOf(file: DatedIdentity): string {
  const numbers = `${deviceOf(file)}:${file.ino}`;
  return file.birthtimeNs > 0n ? `${numbers}:${file.birthtimeNs}` : numbers;
}

/** Whether a text is a place, as {@link placeOf} writes it. */
export function isPlace(value: unknown): value is string {
  return typeof value === 'string' && /^\d+:\d+(?::\d+)?$/.test(value);
}

/**
 * Whether two places are of the same file or folder. A birth time that only one of them has is left out.
 *
 * @param isOneBoot after a restart of the machine, a disk may have another device number.
 */
export function isSamePlace(a: string, b: string, isOneBoot = true): boolean {
  const [[device, inode, birth], [otherDevice, otherInode, otherBirth]] = [
    a.split(':'),
    b.split(':'),
  ];
  return (
    (!isOneBoot || device === otherDevice) &&
    inode === otherInode &&
    (birth ?? otherBirth) === (otherBirth ?? birth)
  );
}

/**
 * The number of the file system. No system has one of more than 32 bits, but some releases of Node give
 * 64 for a path on Windows, and 32 for a link or what is open: https://github.com/libuv/libuv/pull/4698.
 */
export function deviceOf({ dev }: Pick<FileIdentity, 'dev'>): bigint {
  return BigInt.asUintN(32, dev);
}
