import type { Authorization } from '../oauth/authorization.ts';

/** How to reach a server over HTTP, with everything already resolved. */
export interface HttpStart {
  readonly url: string;
  /** `sse`: the server speaks the older HTTP with SSE. Left out: that is tried when it has to be. */
  readonly transport?: 'sse';
  /** Sent to the origin of the URL, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: a server that asks for a sign-in is not reached. */
  readonly authorization?: Authorization;
  /** Whether a person asked for this start, and may be asked to sign in. */
  readonly isInteractive?: boolean;
  /** Values that no failure may repeat. */
  readonly secrets?: readonly string[];
}
