import type { Hub } from './hub/hub.ts';
import type { SearchMeans } from './search/search.ts';
import type { SessionRootsOptions } from './sessionRoots.ts';
import type { Turns } from './turns.ts';

/** What every session of a server process shares. */
export interface ServerOptions extends SessionRootsOptions {
  /** Whether the tools that write are there. */
  readonly allowWrite: boolean;
  readonly searches: SearchMeans;
  /** Where the calls wait that are not run at once. */
  readonly turns: Turns;
  /** The servers behind this one; `undefined` for none. */
  readonly hub: Hub | undefined;
}
