import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json } from './messages.ts';
import { type Candidate, chooseWindow, isNameOf, type WindowWish } from './windowChoice.ts';

/**
 * The last answers of a window's servers, for their clients while the window is away. The window
 * keeps the file current, and drops servers that were replaced, removed or forbidden. Its form:
 *
 * ```json
 * {
 *   "name": "api", "folders": ["/w/api"], "writtenAt": 1700000000000,
 *   "servers": {
 *     "files": {
 *       "identity": "…", "isOfUser": true,
 *       "answers": {
 *         "initialize 2025-06-18": { "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {} },
 *         "tools/list legacy": { "tools": [] },
 *         "server/discover modern": {},
 *         "tools/list modern": { "tools": [], "resultType": "complete" }
 *       }
 *     }
 *   }
 * }
 * ```
 */
export interface WindowSnapshots {
  readonly name: string;
  /** The real paths of the window's folders. */
  readonly folders: readonly string[];
  readonly writtenAt: number;
  /** The snapshots, by the names that clients use for the servers. */
  readonly servers: Readonly<Record<string, Snapshot>>;
}

/** The last answers of one server. */
export interface Snapshot {
  /** The identity of the server's definition. Answers of another identity are outdated. */
  readonly identity: string;
  /** Whether the server is in the user's own settings, so that it is the same in each workspace. */
  readonly isOfUser?: boolean;
  /** The server's results by {@link answerKey}, unchanged. */
  readonly answers: Readonly<Record<string, Json>>;
  /** Results that the gate changes for a client, by client name. Empty name: all other clients. */
  readonly shown?: Readonly<Record<string, Snapshot['answers']>>;
}

/** A snapshot that answers in place of a server. */
export interface KnownSnapshot {
  readonly snapshot: Snapshot;
  /** Whether the snapshot is from the window that the client means. That window may come back. */
  readonly isOfWindow: boolean;
}

/** The folder with the snapshots of all windows. */
export function snapshotsFolder(home: string): string {
  return join(home, '.mcp-roots', 'snapshots');
}

/** Reads the snapshots of a window. `undefined`: the file is missing or can't be read. */
export function readSnapshots(file: string): WindowSnapshots | undefined {
  try {
    const read = Object(JSON.parse(readFileSync(file, 'utf8')));
    return Array.isArray(read.folders) && read.servers ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the last answers of a server in the window that a client means. Outside of all windows, a
 * client gets the answers of a server in the user settings, which is the same in each window.
 * `undefined`: there are no answers that a client can rely on.
 */
export function lastSaid(
  home: string,
  server: string,
  wish: WindowWish,
  platform: NodeJS.Platform,
): KnownSnapshot | undefined {
  const windows = windowsBefore(snapshotsFolder(home));
  const chosen = chooseWindow(windows, { ...wish, client: anybody }, platform);
  if ('window' in chosen) {
    const own = promisable(chosen.window.servers, server, wish);
    return own && { snapshot: own, isOfWindow: true };
  }
  const [latest] = windows
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .flatMap(({ servers }) => promisable(servers, server, wish) ?? [])
    .filter(({ isOfUser }) => isOfUser);
  return latest && { snapshot: latest, isOfWindow: false };
}

/** The client in each snapshot's `grants`. So among snapshots of a folder, the newest counts. */
const anybody = '*';

function windowsBefore(folder: string): (Candidate & Pick<WindowSnapshots, 'servers'>)[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter(name => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.flatMap(file => {
    const read = readSnapshots(join(folder, file));
    const id = basename(file, '.json');
    return read ? { ...read, id, focusedAt: read.writtenAt, grants: [anybody] } : [];
  });
}

/**
 * Returns the answers that a client can rely on. Leaves out a handshake while the server's tools
 * are unknown: after it, each client would wait for the list of tools until it gave up.
 */
function promisable(
  servers: WindowSnapshots['servers'],
  name: string,
  { client = '' }: WindowWish,
): Snapshot | undefined {
  const known = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const { shown = {} } = known ?? {};
  const as = Object.keys(shown).find(one => isNameOf(one, client, name)) ?? '';
  const answers = { ...known?.answers, ...shown[as] };
  const isKept = ([key, answer]: [string, Json]) =>
    !Object(answer['capabilities']).tools ||
    answers[`tools/list ${isInitialize(key) ? 'legacy' : 'modern'}`] !== undefined;
  const kept = Object.fromEntries(Object.entries(answers).filter(isKept));
  const isPromise = Object.keys(kept).some(isInitialize) || kept[discover] !== undefined;
  return known && isPromise ? { ...known, answers: kept } : undefined;
}

/** Returns a snapshot's answer to a request. `undefined`: only the server can answer. */
export function answerFrom(
  snapshot: Snapshot | undefined,
  method: string,
  params: Json,
): { readonly result: Json } | { readonly error: Json } | undefined {
  // An empty result is enough: the connector repeats the log level to the server's next process.
  if (method === 'ping' || method === 'logging/setLevel') {
    return { result: {} };
  }
  const { answers = {} } = snapshot ?? {};
  const key = answerKey(method, params);
  const result = Object.hasOwn(answers, key) && answers[key];
  if (result) {
    return { result };
  }
  return key === discover && Object.keys(answers).some(isInitialize)
    ? { error: { code: methodNotFound, message: 'Method not found' } }
    : undefined;
}

/** Returns a notice that acknowledges a subscription, but promises nothing. */
export function acknowledged(id: unknown) {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  const params = { _meta, notifications: {} };
  return { method: 'notifications/subscriptions/acknowledged', params };
}

/**
 * Returns the key of an answer. The key of a handshake has the requested revision. Every other key
 * has the era (legacy or modern), and for a further page of a list also the cursor.
 */
export function answerKey(method: string, params: Json): string {
  if (method === 'initialize') {
    return `${method} ${params['protocolVersion']}`;
  }
  // Each request of revisions from 2026-07-28 on has this key in its metadata.
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const isModern =
    method === 'server/discover' || Object.hasOwn(Object(params['_meta']), capabilities);
  const page = params['cursor'] === undefined ? '' : ` ${params['cursor']}`;
  return `${method} ${isModern ? 'modern' : 'legacy'}${page}`;
}

function isInitialize(key: string): boolean {
  return key.startsWith('initialize ');
}

const discover = 'server/discover modern';
const methodNotFound = -32601;
