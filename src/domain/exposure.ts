import type { Root } from './roots.ts';

/** Protocol revisions up to 2025-11-25 are `legacy`, 2026-07-28 and later are `modern`. */
export type Era = 'legacy' | 'modern';

/** How roots reach a server at its start: as arguments, variables, or folders of its sandbox. */
export type ConfigurationRoute = 'args' | 'env' | 'mount';

/** Why a server received its roots: it asked, a tool was called, or it was started with them. */
export type Trigger =
  | { readonly kind: 'roots/list' }
  | { readonly kind: 'tools/call'; readonly tool: string }
  | { readonly kind: 'launch'; readonly as: readonly ConfigurationRoute[] };

/** One occasion on which roots were shared with a server. */
export interface Exposure {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** The name of the client whose process got the roots; left out: the window's own process. */
  readonly client?: string | undefined;
  /** The protocol's era; `undefined` for roots at the server's start, before the era is known. */
  readonly era?: Era | undefined;
  readonly trigger: Trigger;
  /** How many requests got this answer. A server that floods gets one answer for many requests. */
  readonly count: number;
  /** The shared roots. Empty: the server learned that it has none. */
  readonly roots: readonly Root[];
}
