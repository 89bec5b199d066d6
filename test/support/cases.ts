import { deepEqual } from 'node:assert/strict';

/** The result of each case, by its name, and the expected one. */
export type Cases = Readonly<Record<string, readonly [found: unknown, expected: unknown]>>;

/** Compares all cases with their expected results at once. */
export function foundAsExpected(cases: Cases): void {
  const column = (at: 0 | 1) => Object.entries(cases).map(([what, both]) => [what, both[at]]);
  deepEqual(column(0), column(1));
}
