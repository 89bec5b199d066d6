import { deepEqual } from 'node:assert/strict';

/** What was found in each case, by its name, and what was expected. */
export type Cases = Readonly<Record<string, readonly [found: unknown, expected: unknown]>>;

/** Holds all cases against what is expected of them, at once. */
export function foundAsExpected(cases: Cases): void {
  const column = (at: 0 | 1) => Object.entries(cases).map(([what, both]) => [what, both[at]]);
  deepEqual(column(0), column(1));
}
