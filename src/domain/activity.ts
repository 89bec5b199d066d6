import type { Access } from './consent/folderAccess.ts';
import type { GrantScope } from './consent/grants.ts';
import type { Exposure } from './exposure.ts';
import type { Folder } from './folders/folders.ts';
import { isSameJson } from './json.ts';
import { namesAmong } from './roots.ts';
import type { Sentence } from './sentence.ts';

/** An entry of the activity log: something that happened to a server. */
export type Activity = Happening &
  (
    | ({ readonly kind: 'exposure' } & Exposure)
    | { readonly kind: 'session-began' }
    /** `reason` follows the client's name in a sentence. Without `reason`, the client left. */
    | { readonly kind: 'session-ended'; readonly reason?: Sentence }
    /**
     * The user answered for these folders. Without folders, the answer is on the server's start or
     * its use by the client. `withdrawn`: the user refused something that was allowed before.
     */
    | ({ readonly kind: 'answered'; readonly scope: GrantScope } & Decided)
    | {
        readonly kind: 'started';
        readonly mode: 'by-hand' | 'by-itself';
        /** The negotiated revision. */
        readonly protocolVersion: string;
      }
    | { readonly kind: 'stopped'; readonly why: StopReason }
    /** The server did not start, or died. `reason` follows its name, and has no secrets. */
    | {
        readonly kind: 'failed';
        readonly reason: Sentence;
        /** True if the server died too often, and is not restarted automatically any more. */
        readonly isGivenUp?: true;
      }
    /** The user revoked all permissions of the server. */
    | { readonly kind: 'revoked' }
    /** A client, or the user by hand, called a tool. */
    | ({ readonly kind: 'called' } & Call)
  );

/** The entry for a call of a tool. */
export type Called = Extract<Activity, { readonly kind: 'called' }>;

/** The calls of one tool in a window. */
export interface ToolCalls {
  readonly count: number;
  readonly last: Called;
}

interface Call {
  readonly tool: string;
  /** The time from the call to its end, in milliseconds. For repeated calls, of the last call. */
  readonly took: number;
  /** `failed`: the gate or the server refused the call, or the tool reported an error. */
  readonly outcome: 'answered' | 'failed' | 'cancelled';
}

/** Why a server was stopped: a person stopped it, its window ended, or something changed. */
export type StopReason =
  | 'by-hand'
  | 'window'
  | 'removed'
  | 'changed'
  | 'no-folder'
  /** Nobody used the server for long. */
  | 'idle'
  /** The server is started again with the new folders. */
  | 'folders-changed'
  | 'rule'
  /** The window's page, which shows the questions, did not answer. */
  | 'no-page';

export interface Decided {
  readonly decision: 'allowed' | 'allowed-read-only' | 'denied' | 'withdrawn';
  /** The names of the folders, or the path that the server's sandbox may also show. */
  readonly folders: readonly string[];
}

interface Happening {
  /** The time in milliseconds since 1970. For repeated entries, the time of the last entry. */
  readonly at: number;
  /** How often in a row this happened; left out: once. */
  readonly count?: number;
  readonly serverId: string;
  readonly serverLabel: string;
  /** The name that the client gives itself; left out: the window itself acted. */
  readonly client?: string | undefined;
}

/** Appends entries. Merges an entry that repeats the last entry of its server and client. */
export function addActivity(entries: Activity[], ...added: readonly Activity[]): void {
  for (const entry of added) {
    const { serverId, client, count = 1 } = entry;
    const isOfSame = (one: Activity) => one.serverId === serverId && one.client === client;
    const index = entries.findLastIndex(isOfSame);
    const last = entries[index];
    if (last && isSameJson(contentOf(last), contentOf(entry))) {
      entries.splice(index, 1);
      // The object must stay the same, because a view finds its row by the object.
      entries.push(Object.assign(last, entry, { count: (last.count ?? 1) + count }));
    } else {
      entries.push({ ...entry });
    }
  }
}

function contentOf(entry: Activity): object {
  return { ...entry, at: undefined, count: undefined, took: undefined };
}

/** Returns the newest entries that fit. Servers with many entries lose their oldest ones first. */
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

/** Returns the decisions of an answer that allows only these URIs. A refused root is withdrawn. */
export function decisionsOn(
  folders: readonly Folder[],
  allowed: ReadonlySet<string>,
  readOnly: ReadonlySet<string>,
  access: Pick<Access, 'folders' | 'roots'>,
): Decided[] {
  const refusal = (uri: string) =>
    access.roots.some(root => root.uri === uri) ? 'withdrawn' : 'denied';
  const permission = (uri: string) => (readOnly.has(uri) ? 'allowed-read-only' : 'allowed');
  const decisionOn = (uri: string) => (allowed.has(uri) ? permission(uri) : refusal(uri));
  const all = access.folders.map(({ folder }) => folder);
  const distinct = namesAmong(folders, all);
  return (['allowed', 'allowed-read-only', 'denied', 'withdrawn'] as const).flatMap(decision => {
    const names = distinct.filter((_, at) => decisionOn(folders[at]?.uri ?? '') === decision);
    return names.length > 0 ? [{ decision, folders: names }] : [];
  });
}
