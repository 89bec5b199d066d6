/** The number of retries, and the pause before each retry in milliseconds: half a second in all. */
const tries = 25;
const pause = 20;

/**
 * Retries work on a file while Windows refuses the work: a virus scanner, an indexer or a reader
 * may have the file open for a moment. On other systems, the work gets one try.
 *
 * @param work must be synchronous, and have no effect if it throws.
 * @throws the error of the last try.
 */
export function whileBusy<T>(
  work: () => T,
  platform: NodeJS.Platform = process.platform,
  wait: (milliseconds: number) => void = waitHere,
): T {
  for (let left = platform === 'win32' ? tries : 0; ; left -= 1) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (left <= 0 || !(code === 'EPERM' || code === 'EACCES' || code === 'EBUSY')) {
        throw error;
      }
    }
    wait(pause);
  }
}

function waitHere(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
