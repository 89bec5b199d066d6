import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DiskBudget } from './diskBudget.ts';

/**
 * Where a POSIX path leads for the kernel, which goes up from where a link leads and not from where
 * it stands. Links that no `..` follows are left as they are. `undefined` when the way leads through
 * what is another folder for each process, goes up too often, or the budget is spent.
 */
export function kernelPath(path: string, budget: DiskBudget): string | undefined {
  let current = '/';
  let ups = 0;
  for (const name of path.split('/')) {
    if (name === '..' && current !== '/') {
      ups += 1;
      if (ups > mostUps || /^\/(?:proc|dev)(?:\/|$)/.test(current) || !budget.spend(costOfReal)) {
        return undefined;
      }
      current = dirname(realOf(current));
    } else if (name !== '' && name !== '.' && name !== '..') {
      current = join(current, name);
    }
  }
  return current;
}

/** Each costs a look at the disk. */
const mostUps = 40;
const costOfReal = 5;

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // What can't be followed leads nowhere: only the check of the path as it is written counts.
    return path;
  }
}
