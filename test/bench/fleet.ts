import type { ProcessStart } from '../../src/mcp/stdio/serverProcess.ts';

/** Servers that are started together, and told together of one more folder. */
export interface Fleet {
  /** Settles when every server was handed its roots. */
  start(servers: readonly ProcessStart[]): Promise<void>;
  /** Opens a folder that all of them may see; settles when every server was handed it. */
  openFolder(): Promise<void>;
  /** Settles when no server is left. */
  stop(): Promise<void>;
}

/** What a host measured, in milliseconds. */
export interface FleetFigures {
  /** Until the last server was handed its roots for the first time. */
  readonly start: number;
  /** The longest that the event loop did nothing else meanwhile. */
  readonly blockAtStart: number;
  /** From the change until the last server was handed its new roots. */
  readonly change: number;
  readonly blockAtChange: number;
}
