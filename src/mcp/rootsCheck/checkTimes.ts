import { type ConnectionTimes, defaultTimes } from '../times.ts';

/** The times a check keeps, in milliseconds. */
export interface CheckTimes {
  /** What follows the first handshake, up to the end of the server. */
  readonly whole: number;
  /** What a server may take to ask for its roots at its start. */
  readonly ask: number;
  /** The same after it was told of a change. */
  readonly askAgain: number;
  /** What it may take after that until its tools keep to the new list. */
  readonly settle: number;
  /** Between two looks at that. */
  readonly pause: number;
  /** What a tool may take. */
  readonly call: number;
  /** How long a server has to go on after its start to count as running. */
  readonly steady: number;
  readonly connection: ConnectionTimes;
}

/**
 * With these a check is over within a minute after the server has started, its end included, however
 * stubborn it is. The start has the time that any start has.
 */
export const defaultCheckTimes: CheckTimes = {
  whole: 50_000,
  ask: 5000,
  askAgain: 3000,
  settle: 1500,
  pause: 100,
  call: 5000,
  steady: 1000,
  connection: defaultTimes,
};
