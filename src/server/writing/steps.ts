import type { Slices } from './slices.ts';

/** Work that comes to a `T` in small steps; after each of them, it may be interrupted. */
export type Steps<T> = Generator<undefined, T>;

/**
 * Does work in steps with pauses in between; `undefined` when it was given up after `limit`
 * milliseconds.
 * @throws the reason of the signal of the slices when that is aborted.
 */
export async function inSlices<T>(
  steps: Steps<T>,
  slices: Slices,
  limit: number,
): Promise<{ readonly value: T } | undefined> {
  const end = performance.now() + limit;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return { value: step.value };
    }
    if (slices.isSpent) {
      if (performance.now() > end) {
        return undefined;
      }
      await slices.pause();
    }
  }
}
