import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './messages.ts';

/**
 * What a server said when it ran last, so that its clients are answered when its window is away. The
 * gateway keeps it up to date, and removes it when the identity of the server changes or its consent
 * goes. As a file:
 *
 * ```json
 * {
 *   "identity": "…",
 *   "legacy": {
 *     "initialize": { "2025-06-18": { "protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {} } },
 *     "lists": { "tools/list": { "tools": [] }, "prompts/list": { "prompts": [] } }
 *   },
 *   "modern": { "discover": {}, "lists": { "tools/list": { "tools": [], "resultType": "complete" } } }
 * }
 * ```
 */
export interface Snapshot {
  /** Of the server that said this: the gateway's own mark, by which it knows an outdated file. */
  readonly identity: string;
  /** Left out: no client of these revisions has used it. */
  readonly legacy?: {
    /** The results of `initialize`, as clients saw them, by the revision that they asked for. */
    readonly initialize: Readonly<Record<string, Json>>;
    readonly lists: Lists;
  };
  readonly modern?: {
    /** The result of `server/discover`. */
    readonly discover: Json;
    readonly lists: Lists;
  };
}

/** The results by the method of the request: whole lists, all pages in one. */
type Lists = Readonly<Record<string, Json>>;

/** The file of a server's snapshot. @param label the name that clients know the server by. */
export function snapshotFile(home: string, label: string): string {
  return join(home, '.mcp-roots', 'snapshots', `${encodeURIComponent(label)}.json`);
}

/** `undefined`: there is none, or none that can be read. */
export function readSnapshot(file: string): Snapshot | undefined {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
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
  const { legacy, modern } = snapshot ?? {};
  if (method === 'initialize') {
    const result =
      legacy && handshake(Object(legacy.initialize), String(params['protocolVersion']));
    return result && { result };
  }
  if (method === 'server/discover') {
    return modern
      ? { result: modern.discover }
      : legacy && { error: { code: methodNotFound, message: 'Method not found' } };
  }
  const { lists } = (clientCapabilities in Object(params['_meta']) ? modern : legacy) ?? {};
  const result = params['cursor'] === undefined ? lists?.[method] : undefined;
  return result && { result };
}

/** For a revision that nobody has asked for yet, the server has the answer to the one closest to it. */
function handshake(known: Readonly<Record<string, Json>>, asked: string): Json | undefined {
  const [newest] = Object.keys(known).sort().reverse();
  const exact = known[asked];
  if (exact || newest === undefined) {
    return exact;
  }
  // Servers speak the revisions before their newest. One that does not is found out when it is back.
  const result = known[newest] ?? {};
  const revisions = [asked, String(result['protocolVersion'])].sort();
  return { ...result, protocolVersion: revisions[0] };
}

const methodNotFound = -32601;
/** Every request of a revision from 2026-07-28 on has it in its `_meta`. */
const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities';
