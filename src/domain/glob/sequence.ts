/** One place in a pattern: a test for exactly one item, or `anything`, for any number of them. */
export type SequenceStep<T> = ((item: T) => boolean) | 'anything';

/**
 * Whether the items from `start` on match the steps, every one of them.
 *
 * A mismatch goes back to the last `anything` only, which is enough: whatever an earlier one
 * could take in addition, the last can take as well. So the time is at most the product of the
 * two lengths, where a regular expression made of the same pattern can take for ever.
 */
export function matchesSequence<T>(
  steps: readonly SequenceStep<T>[],
  items: readonly T[],
  start = 0,
): boolean {
  let step = 0;
  let item = start;
  let retry: { readonly step: number; item: number } | undefined;
  while (item < items.length) {
    const test = steps[step];
    if (test === 'anything') {
      retry = { step: step + 1, item };
      step += 1;
    } else if (test?.(items[item] as T)) {
      step += 1;
      item += 1;
    } else if (retry) {
      retry.item += 1;
      step = retry.step;
      item = retry.item;
    } else {
      return false;
    }
  }
  return steps.slice(step).every(rest => rest === 'anything');
}
