import type { GrantScope } from './consent/grants.ts';
import type { Exposure } from './exposure.ts';
import type { Sentence } from './sentence.ts';

/** Something that happened to a server and is kept in the activity log. Only an exposure has no `kind`. */
export type Activity = (Exposure & { readonly kind?: undefined }) | ServerEvent;

/** What happened to a server besides that roots were handed to it. */
export type ServerEvent = Happening &
  (
    | { readonly kind: 'session-began' }
    /** `reason`: to be read after the client's name; without it, the client left. */
    | { readonly kind: 'session-ended'; readonly reason?: Sentence }
    /**
     * The user answered: which folders the server may see, or whether it may be started or used by the
     * client, where no folder is named. `withdrawn`: a refusal of what was allowed until then.
     */
    | {
        readonly kind: 'answered';
        readonly decision: 'allowed' | 'denied' | 'withdrawn';
        readonly scope: GrantScope;
        /** The names of the folders. */
        readonly folders: readonly string[];
      }
    | {
        readonly kind: 'started';
        readonly mode: 'by-hand' | 'by-itself';
        /** The negotiated revision. */
        readonly protocolVersion: string;
      }
    | { readonly kind: 'stopped' }
    /** It did not start, or died. `reason`: to be read after its name, without its secrets. */
    | { readonly kind: 'failed'; readonly reason: Sentence }
    /** The user withdrew everything that it was allowed. */
    | { readonly kind: 'revoked' }
    /** What it does with roots was checked. */
    | { readonly kind: 'checked'; readonly result: Sentence }
  );

interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** What the client that it was for calls itself; without it, this window. */
  readonly client?: string | undefined;
}
