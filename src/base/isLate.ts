/** How many times it is counted that time has passed before that is too long. */
const counts = 8;

/**
 * Whether a promise takes longer than so many milliseconds to settle. Where this process stood still
 * meanwhile, which is no fault of what is waited for, that counts once: a single timer would ring
 * before the answer is read.
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
