import { type BigIntStats, lstatSync } from 'node:fs';

/** The entry at a path as it is at this moment, a link itself; `undefined` when there is none. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}
