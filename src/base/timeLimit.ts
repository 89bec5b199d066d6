/**
 * Returns the promise's value, or `late` if the promise takes longer than the given milliseconds.
 * So the caller always goes on. To judge whether another side is slow, use {@link isLate}.
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

/** The number of parts into which {@link isLate} divides the time. */
const counts = 8;

/**
 * Whether a promise takes longer than the given milliseconds, to judge another side, such as a
 * disk. A pause of this process counts as an eighth of the time at most. A single timer would end
 * right after the pause, before this process reads an answer that came long ago.
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

/** The longest time that `setTimeout` takes, in milliseconds. */
export const longestTimer = 0x7fff_ffff;
