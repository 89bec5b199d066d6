import type { SessionRootsOptions } from './sessionRoots.ts';
import type { Turns } from './turns.ts';

/** What every session of a server process shares. */
export interface ServerOptions extends SessionRootsOptions {
  /** Whether the tools that write are there. */
  readonly allowWrite: boolean;
  /** Where ripgrep is, as it was given; `none` for not to use any; `undefined` for looking it up. */
  readonly ripgrep: string | undefined;
  /** The calls of all sessions stand in one line. */
  readonly turns: Turns;
}
