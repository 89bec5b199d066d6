import { type BigIntStats, lstatSync } from 'node:fs';
import { isSameFile } from '../../base/fileIdentity.ts';

/** The entry at a path as it is at this moment, a link itself; `undefined` when there is none. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Whether both are the same file, and nothing was written to it in between. */
export function isUntouched(a: BigIntStats, b: BigIntStats | undefined): boolean {
  return (
    isSameFile(a, b) && a.size === b?.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
  );
}
