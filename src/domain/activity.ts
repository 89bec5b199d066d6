import type { GrantScope } from './consent/grants.ts';
import type { Exposure } from './exposure.ts';
import type { Folder } from './folders/folders.ts';
import { isSameJson } from './json.ts';
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
  /** Milliseconds since 1970; of more than one time, the last. */
  readonly at: number;
  /** How often it happened in a row; left out: once. */
  readonly count?: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** The name that its client gives itself; without one, it was for the window. */
  readonly client?: string | undefined;
}

/** Adds entries at the end. One that says the same as the last of its server and client joins that. */
export function addActivity(entries: Activity[], ...added: readonly Activity[]): void {
  for (const entry of added) {
    const { at, serverId, client, count = 1 } = entry;
    const isOfSame = (one: Activity) => one.serverId === serverId && one.client === client;
    const index = entries.findLastIndex(isOfSame);
    const last = entries[index];
    if (last && isSameJson(contentOf(last), contentOf(entry))) {
      entries.splice(index, 1);
      // The same object: a view knows its row by it.
      entries.push(Object.assign(last, { at, count: (last.count ?? 1) + count }));
    } else {
      entries.push({ ...entry });
    }
  }
}

function contentOf({ at: _, count: __, ...content }: Activity): object {
  return content;
}

/** The entries that fit, the newest of each server: none takes the room of another that needs less. */
export function fittingActivity(
  entries: readonly Activity[],
  most: number,
  sizeOf: (entry: Activity) => number,
): Activity[] {
  const sizes = new Map<string, number>();
  for (const entry of entries) {
    sizes.set(entry.serverId, (sizes.get(entry.serverId) ?? 0) + sizeOf(entry));
  }
  let [room, servers] = [most, sizes.size];
  for (const [serverId, size] of [...sizes].sort(([, one], [, other]) => one - other)) {
    const share = Math.min(size, room / servers);
    room -= share;
    servers -= 1;
    sizes.set(serverId, share);
  }
  const fits = (entry: Activity) => {
    const left = (sizes.get(entry.serverId) ?? 0) - sizeOf(entry);
    sizes.set(entry.serverId, left);
    return left >= 0;
  };
  return entries.toReversed().filter(fits).reverse();
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
