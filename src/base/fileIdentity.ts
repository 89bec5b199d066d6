/** The system's numbers for a file or folder, the same under any name. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** With the time of the file's creation, in nanoseconds; 0 when the system doesn't know it. */
export interface DatedIdentity extends FileIdentity {
  readonly birthtimeNs: bigint;
}

/** Whether both are the same file or folder. */
export function isSameFile(a: FileIdentity, b: FileIdentity | undefined): boolean {
  return b !== undefined && deviceOf(a) === deviceOf(b) && a.ino === b.ino;
}

/**
 * The key of a file or folder, whatever its path: `device:inode:birthtime`. A new folder may get
 * the inode of a removed one; so the birth time is in the key where the system knows it.
 */
export function placeOf(file: DatedIdentity): string {
  const numbers = `${deviceOf(file)}:${file.ino}`;
  return file.birthtimeNs > 0n ? `${numbers}:${file.birthtimeNs}` : numbers;
}

/** Whether a text is a place in the form of {@link placeOf}. */
export function isPlace(value: unknown): value is string {
  return typeof value === 'string' && /^\d+:\d+(?::\d+)?$/.test(value);
}

/**
 * Whether two places are the same file or folder. A birth time that only one place has is ignored.
 *
 * @param isOneBoot `false`: ignores the device number, which a restart of the machine may change.
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
 * The number of the file system. Systems use 32 bits at most. Some releases of Node return 64 for a
 * path on Windows, but 32 for links and open files: https://github.com/libuv/libuv/pull/4698.
 */
export function deviceOf({ dev }: Pick<FileIdentity, 'dev'>): bigint {
  return BigInt.asUintN(32, dev);
}
