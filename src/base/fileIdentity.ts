/** The system's numbers for a file or folder. Each name of a file has the same numbers. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** An identity with the creation time in nanoseconds. 0: the system doesn't know the time. */
export interface DatedIdentity extends FileIdentity {
  readonly birthtimeNs: bigint;
}

/** Whether two identities mean the same file or folder; false if one is `undefined`. */
export function isSameFile(a: FileIdentity, b: FileIdentity | undefined): boolean {
  return b !== undefined && deviceOf(a) === deviceOf(b) && a.ino === b.ino;
}

/**
 * Returns the key of a file or folder, whatever its path: `device:inode:birthtime`. A new folder
 * may get the inode of a removed one. So the birth time is part of the key, where the system knows
 * it.
 */
export function placeOf(file: DatedIdentity): string {
  const numbers = `${deviceOf(file)}:${file.ino}`;
  return file.birthtimeNs > 0n ? `${numbers}:${file.birthtimeNs}` : numbers;
}

/** Whether a value is a key as {@link placeOf} returns it. */
export function isPlace(value: unknown): value is string {
  return typeof value === 'string' && /^\d+:\d+(?::\d+)?$/.test(value);
}

/**
 * Whether two keys of {@link placeOf} mean one file. Ignores a birth time that only one key has.
 *
 * @param isOneBoot `false` ignores the device number, which a restart of the machine may change.
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
 * Returns the number of the file system, in 32 bits. On Windows, some releases of Node return 64
 * bits for a path, but 32 for links and open files: https://github.com/libuv/libuv/pull/4698.
 */
export function deviceOf({ dev }: Pick<FileIdentity, 'dev'>): bigint {
  return BigInt.asUintN(32, dev);
}
