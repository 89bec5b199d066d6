import type { Root } from './roots.ts';

/** Protocol revisions up to 2025-11-25 are `legacy`, 2026-07-28 and later are `modern`. */
export type Era = 'legacy' | 'modern';

/** The ways roots reach a server by its start; `mount`: as the folders that its sandbox shows it. */
export type ConfigurationRoute = 'args' | 'env' | 'mount';

/** Why a server was handed its roots: it asked, a tool was called, or it was started with them. */
export type Trigger =
  | { readonly kind: 'roots/list' }
  | { readonly kind: 'tools/call'; readonly tool: string }
  | { readonly kind: 'launch'; readonly as: readonly ConfigurationRoute[] };

/** One occasion on which roots were handed to a server. */
export interface Exposure {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** The name that the client of this process gives itself; without one, it is the window's own process. */
  readonly client?: string | undefined;
  /** `undefined` when it was started with them: what it speaks is not known before. */
  readonly era?: Era | undefined;
  readonly trigger: Trigger;
  /** The number of requests that it answered: those of a flooding server are answered together. */
  readonly count: number;
  /** The roots that the server was told. Empty: it was told that there are none. */
  readonly roots: readonly Root[];
}
