import type { Grace } from './stdio/serverProcess.ts';

/** The times a connection keeps, in milliseconds, and its pace. */
export interface ConnectionTimes {
  /** Silence on `server/discover`, or on a stream of the older HTTP with SSE, that is an answer. */
  readonly probe: number;
  /** The whole handshake, the probe included. */
  readonly handshake: number;
  /** The same for a program that may first have to download what it runs. */
  readonly download: number;
  readonly stop: Grace;
  /** Answers for roots a second to one server; further requests wait together. */
  readonly answersPerSecond: number;
  /** Time limit for a server to ask for changed roots after it was told of them. */
  readonly neglect: number;
}

/** For a server that a person waits for. */
export const defaultTimes: ConnectionTimes = {
  probe: 4000,
  handshake: 60_000,
  download: 5 * 60_000,
  stop: { end: 2000, terminate: 2000 },
  answersPerSecond: 20,
  neglect: 3000,
};
