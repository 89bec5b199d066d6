import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json } from './messages.ts';
import { type Candidate, chooseWindow, type WindowWish } from './windowChoice.ts';

/**
 * The last answers of a window's servers, for their clients while the window is away. The window keeps them
 * up to date, and drops a server that is another one, is gone or may not be used any more. As a file:
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
  /** By the names that clients know the servers by. */
  readonly servers: Readonly<Record<string, Snapshot>>;
}

/** The last answers of one server. */
export interface Snapshot {
  /** The window's mark for the server, by which it knows outdated answers. */
  readonly identity: string;
  /** Whether it is of the user's own settings, and so the same in each workspace. */
  readonly isOfUser?: boolean;
  /** The results by {@link answerKey}, as clients saw them. */
  readonly answers: Readonly<Record<string, Json>>;
}

/** A snapshot that stands in for a server. */
export interface KnownSnapshot {
  readonly snapshot: Snapshot;
  /** It is of the window that the client means, which may come back. */
  readonly isOfWindow: boolean;
}

/** The folder with the snapshots of all windows. */
export function snapshotsFolder(home: string): string {
  return join(home, '.mcp-roots', 'snapshots');
}

/** `undefined`: there is none, or none that can be read. */
export function readSnapshots(file: string): WindowSnapshots | undefined {
  try {
    const read = Object(JSON.parse(readFileSync(file, 'utf8')));
    return Array.isArray(read.folders) && read.servers ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The last answers of a server in the window that a client means. A client outside of all windows gets those
 * of a server of the user settings, which is the same in each window. `undefined`: there are none, or none
 * that can be promised.
 */
export function lastSaid(
  home: string,
  server: string,
  wish: WindowWish,
  platform: NodeJS.Platform,
): KnownSnapshot | undefined {
  const windows = windowsBefore(snapshotsFolder(home));
  const chosen = chooseWindow(windows, { ...wish, client: anybody }, platform);
  const own = 'window' in chosen ? promisable(chosen.window.servers, server) : undefined;
  if (own || 'window' in chosen) {
    return own && { snapshot: own, isOfWindow: true };
  }
  const [latest] = windows
    .sort((a, b) => b.focusedAt - a.focusedAt)
    .flatMap(({ servers }) => promisable(servers, server) ?? [])
    .filter(({ isOfUser }) => isOfUser);
  return latest && { snapshot: latest, isOfWindow: false };
}

/** Makes the window that was there last the one that is meant, of those with the same folder. */
const anybody = 'anybody';

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
 * The answers that can be promised. Behind a handshake with tools that are not known, each client would wait
 * for the list, longer than clients do, and leave: so such a handshake waits itself.
 */
function promisable(servers: WindowSnapshots['servers'], name: string): Snapshot | undefined {
  const known = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const { answers = {} } = known ?? {};
  const isKept = ([key, answer]: [string, Json]) =>
    !Object(answer['capabilities']).tools ||
    answers[`tools/list ${isInitialize(key) ? 'legacy' : 'modern'}`] !== undefined;
  const kept = Object.fromEntries(Object.entries(answers).filter(isKept));
  const isPromise = Object.keys(kept).some(isInitialize) || kept[discover] !== undefined;
  return known && isPromise ? { ...known, answers: kept } : undefined;
}

/** The members of a response that a snapshot has for a request; `undefined`: only the server knows. */
export function answerFrom(
  snapshot: Snapshot | undefined,
  method: string,
  params: Json,
): { readonly result: Json } | { readonly error: Json } | undefined {
  if (method === 'ping') {
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

/**
 * The key of an answer: a handshake is kept by the requested revision, all else by the era, and a further
 * page of a list by its cursor, too.
 */
export function answerKey(method: string, params: Json): string {
  if (method === 'initialize') {
    return `${method} ${params['protocolVersion']}`;
  }
  // Each request of a revision from 2026-07-28 on has it.
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
