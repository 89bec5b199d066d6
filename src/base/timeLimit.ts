/**
 * The value of the promise, or `late` when it takes longer than the given milliseconds: for a caller who
 * needs a value in any case. For a verdict on the other side, use {@link isLate}.
 */
export async function within<T, L>(
  promise: Promise<T>,
  milliseconds: number,
  late: L,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<L>(resolve => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer));
}

/** Into how many parts {@link isLate} divides the time. */
const counts = 8;

/**
 * Whether a promise takes longer than so many milliseconds to settle: for a verdict on another side, such
 * as a disk. A moment in which this process itself stood still counts as one part of the time at most: a
 * single timer would ring then before an answer that has long come is read.
 */
export function isLate(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise(resolve => {
    let left = counts;
    const timer = setInterval(() => {
      left -= 1;
      if (left === 0) {
        settle(true);
      }
    }, milliseconds / counts);
    const settle = (late: boolean) => {
      clearInterval(timer);
      resolve(late);
    };
    const inTime = () => settle(false);
    promise.then(inTime, inTime);
  });
}

/** The longest time of a timer, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;
