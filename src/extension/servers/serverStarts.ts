import { availableParallelism } from 'node:os';
import { Limiter } from '../../base/limiter.ts';

/** In milliseconds: a start that takes longer, say because of a download, holds up no other. */
const longest = 250;

/**
 * Limits how many servers of a window start at the same time to one for each processor. More would
 * only wait for each other, and the window for all of them: starting a process blocks this one, and
 * all that the servers send when they start would come at once.
 */
export function serverStarts(): Limiter {
  return new Limiter({ running: Math.max(2, availableParallelism()), longest, isSpread: true });
}
