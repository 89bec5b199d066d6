import type { Grace } from './stdio/serverProcess.ts';

/** Time limits of a connection in milliseconds, and its rate of answers. */
export interface ConnectionTimes {
  /** Wait for an answer to `server/discover`, or for a stream of HTTP with SSE. Silence then counts as "no". */
  readonly probe: number;
  /** The whole handshake, the probe included. */
  readonly handshake: number;
  /** The handshake of a program that may first have to download what it runs. */
  readonly download: number;
  readonly stop: Grace;
  /** The most answers to `roots/list` in a second, for one server. Further requests share the next answer. */
  readonly answersPerSecond: number;
  /** Time limit for a server to ask for changed roots after the notice of the change. */
  readonly neglect: number;
}

/** Times for a server that a person waits for. */
export const defaultTimes: ConnectionTimes = {
  probe: 4000,
  handshake: 60_000,
  download: 5 * 60_000,
  stop: { end: 2000, terminate: 2000 },
  answersPerSecond: 20,
  neglect: 3000,
};
