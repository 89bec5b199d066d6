import type { GrantScope } from './consent/grants.ts';
import type { Exposure } from './exposure.ts';
import type { Folder } from './folders/folders.ts';
import type { Root } from './roots.ts';
import type { Sentence } from './sentence.ts';

/** Something that happened to a server and is kept in the activity log. */
export type Activity = Happening &
  (
    | ({ readonly kind: 'exposure' } & Exposure)
    | { readonly kind: 'session-began' }
    /** `reason`: to be read after the client's name; without it, the client left. */
    | { readonly kind: 'session-ended'; readonly reason?: Sentence }
    /**
     * The user answered: which folders the server may see, or whether it may be started or used by the
     * client, where no folder is named. `withdrawn`: a refusal of what was allowed until then.
     */
    | ({ readonly kind: 'answered'; readonly scope: GrantScope } & Decided)
    | {
        readonly kind: 'started';
        readonly mode: 'by-hand' | 'by-itself';
        /** The negotiated revision. */
        readonly protocolVersion: string;
      }
    | { readonly kind: 'stopped'; readonly why: StopReason }
    /** It did not start, or died. `reason`: to be read after its name, without its secrets. */
    | {
        readonly kind: 'failed';
        readonly reason: Sentence;
        /** It is not started again by itself, after this and earlier deaths. */
        readonly isGivenUp?: true;
      }
    /** The user withdrew everything that it was allowed. */
    | { readonly kind: 'revoked' }
  );

/** Why a server was stopped: by a person, with its window, or because of what became of it. */
export type StopReason =
  | 'by-hand'
  | 'window'
  | 'removed'
  | 'changed'
  | 'no-folder'
  /** It is started again with those of now. */
  | 'folders-changed'
  | 'rule'
  /** The page of the window did not answer. */
  | 'no-page';

export interface Decided {
  readonly decision: 'allowed' | 'allowed-read-only' | 'denied' | 'withdrawn';
  /** Their names; or the path that its sandbox shows it besides. */
  readonly folders: readonly string[];
}

interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** The name that its client gives itself; without one, it was for the window. */
  readonly client?: string | undefined;
}

/**
 * The decisions in an answer that allows these URIs, some to be read only, where a server could see
 * `visible` until then.
 */
export function decisionsOn(
  folders: readonly Pick<Folder, 'uri' | 'name'>[],
  allowed: ReadonlySet<string>,
  readOnly: ReadonlySet<string>,
  visible: readonly Pick<Root, 'uri'>[],
): Decided[] {
  const refusal = (uri: string) =>
    visible.some(root => root.uri === uri) ? 'withdrawn' : 'denied';
  const permission = (uri: string) => (readOnly.has(uri) ? 'allowed-read-only' : 'allowed');
  const decisionOn = (uri: string) => (allowed.has(uri) ? permission(uri) : refusal(uri));
  return (['allowed', 'allowed-read-only', 'denied', 'withdrawn'] as const).flatMap(decision => {
    const names = folders.filter(({ uri }) => decisionOn(uri) === decision).map(({ name }) => name);
    return names.length > 0 ? [{ decision, folders: names }] : [];
  });
}
