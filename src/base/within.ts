/** What the promise settles to, or `late` when that takes longer than the given milliseconds. */
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
