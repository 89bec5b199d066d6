import { availableParallelism } from 'node:os';
import { Limiter } from '../../base/limiter.ts';

/** A server that takes longer, say to download itself, is not waited for. */
const longest = 250;

/**
 * Where the servers of a window line up to start: one for each processor at once. More would only
 * wait for each other, and the window for all of them, because starting a process blocks ours and
 * what they have to say at their start would come in one moment.
 */
export function serverStarts(): Limiter {
  return new Limiter({ running: Math.max(2, availableParallelism()), longest, isSpread: true });
}
