import { createHash } from 'node:crypto';

/** How many characters {@link pairHash} has, all of them `0` to `9` or `a` to `f`. */
export const pairHashLength = 8;

/** Tells two texts from any other two, and is the same in every session. */
export function pairHash(first: string, second: string): string {
  // As JSON, since either text may hold any separator, and half a surrogate pair is no UTF-8.
  const pair = JSON.stringify([first, second]);
  return createHash('sha256').update(pair).digest('hex').slice(0, pairHashLength);
}
