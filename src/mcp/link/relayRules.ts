import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/client';
import { withLineEnd } from '../../base/lineReader.ts';
import type { Era } from '../../domain/exposure.ts';
import { freeMethods } from '../../domain/gate/handshakeAndLists.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cut } from '../../domain/printable.ts';
import { rootsCapability } from './rootsAnswerer.ts';

/** Error codes of JSON-RPC. */
export const [unavailable, invalidRequest] = [-32000, -32600];

/** A client of a relay, as it describes itself. */
export interface RelayedClient {
  /** The client's own claim, which nobody checks. */
  readonly name: string;
  readonly version: string;
}

/** The client that a message names. The name is empty if the message has none. */
export function clientIn(message: JSONRPCMessage | undefined): RelayedClient {
  const { clientInfo, _meta: meta } = Object(Object(message).params);
  const isModern = isModernRequest(message);
  const { name, version } = Object(isModern ? meta[CLIENT_INFO_META_KEY] : clientInfo);
  const textOf = (value: unknown) => cut(typeof value === 'string' ? value : '', longestName);
  return { name: textOf(name), version: textOf(version) };
}

/** The client without the name of the server, which some clients append (`qwen-cli-mcp-client-files`). */
export function withoutServer(client: RelayedClient, server: string): RelayedClient {
  const { name } = client;
  const isNamed = name.endsWith(`client-${server}`);
  return isNamed ? { ...client, name: name.slice(0, -server.length - 1) } : client;
}

/** Whether a message is of a modern revision, where each request declares capabilities. */
export function isModernRequest(message: JSONRPCMessage | undefined): boolean {
  const { _meta: meta } = Object(Object(message).params);
  return Object.hasOwn(Object(meta), CLIENT_CAPABILITIES_META_KEY);
}

/** Whether a request declares roots. Some clients without roots still answer `roots/list`. */
export function declaresRoots(request: JSONRPCRequest): boolean {
  const { capabilities, _meta: meta } = Object(request.params);
  const declared = isModernRequest(request) ? meta[CLIENT_CAPABILITIES_META_KEY] : capabilities;
  return Object(declared).roots !== undefined;
}

/** The most characters of a client's name, which is shown, logged, and stored with the user's answers. */
const longestName = 200;

/**
 * The state of a handshake: not begun, `initialize` sent, `initialize` answered, or over. When it
 * is over, its state is the era of the answer. A client that later speaks another era is refused.
 */
export type HandshakeState = 'open' | 'asked' | 'answered' | Era;

/**
 * Why a client can't send this request now, in a finished sentence. The client of a session keeps
 * its name: otherwise, calls admitted under one name could outlive the refusal of that name.
 *
 * @param client the client as it named itself before.
 */
export function outOfTurn(
  request: JSONRPCRequest,
  handshake: HandshakeState,
  client: RelayedClient,
): string | undefined {
  const { method } = request;
  const isModern = isModernRequest(request);
  const { name } = isModern || method === 'initialize' ? clientIn(request) : client;
  if (name && client.name && name !== client.name) {
    return `This session belongs to "${client.name}". Another client needs its own session.`;
  }
  if (isModern) {
    const isOwn = handshake === 'open' || handshake === 'modern';
    return isOwn
      ? undefined
      : 'The session began with "initialize", so its requests must not declare capabilities.';
  }
  if (method === 'initialize') {
    return handshake === 'open' ? undefined : 'The handshake of this session is complete.';
  }
  if (handshake === 'modern') {
    return 'Each request of this session must declare the capabilities of the client.';
  }
  // A call during the handshake is not refused, but waits for the end of the handshake.
  const isHasty = handshake === 'asked' && usesRoots.has(method);
  const isEarly = handshake !== 'legacy' && !freeMethods.has(method) && !isHasty;
  return isEarly ? 'The client can use the server only after the handshake.' : undefined;
}

/** A message for the client. @param line the message as it came, without its end. */
export function clientLine(message: JSONRPCMessage, line: Buffer | undefined): string | Buffer {
  return line ? withLineEnd(line) : `${JSON.stringify(message)}\n`;
}

/** Requests that may read files. A modern server may first ask for roots. (basic/patterns/mrtr.) */
export const usesRoots: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
]);

/** The request, with our capability for roots in place of the client's. */
export function offering(request: JSONRPCRequest, isOffered: boolean): JSONRPCRequest {
  const given = Object.entries(request.params ?? {});
  const params: JsonObject = Object.fromEntries(given.filter(([key]) => !isOtherSpelling(key)));
  const withRoots = (capabilities: unknown) => {
    const { roots: _, ...others } = Object(capabilities);
    return isOffered ? { ...others, ...rootsCapability } : others;
  };
  if (request.method === 'initialize') {
    return { ...request, params: { ...params, capabilities: withRoots(params['capabilities']) } };
  }
  const meta = Object(params['_meta']);
  const declared = withRoots(meta[CLIENT_CAPABILITIES_META_KEY]);
  return {
    ...request,
    params: { ...params, _meta: { ...meta, [CLIENT_CAPABILITIES_META_KEY]: declared } },
  };
}

/** The keys of a request that this file reads or sets. Servers in Go take the keys in any letter case. */
const keysOfOurs = /^(capabilities|_meta|inputResponses|requestState)$/;
const inAnyCase = new RegExp(keysOfOurs, 'iu');

function isOtherSpelling(key: string): boolean {
  return inAnyCase.test(key) && !keysOfOurs.test(key);
}

/** A result as the client sees it. The answer to a handshake has the user's name of the server. */
export function namedAs(label: string, method: string, result: JsonObject): JsonObject {
  if (method !== 'initialize' && method !== 'server/discover') {
    return result;
  }
  const own = (info: unknown) => ({ ...Object(info), name: label, title: label });
  const { serverInfo, _meta: meta } = result;
  const { [SERVER_INFO_META_KEY]: inMeta } = Object(meta);
  return {
    ...result,
    ...(serverInfo !== undefined && { serverInfo: own(serverInfo) }),
    ...(inMeta !== undefined && {
      _meta: { ...Object(meta), [SERVER_INFO_META_KEY]: own(inMeta) },
    }),
  };
}

type RelayedError = JSONRPCErrorResponse['error'];

const methodNotFound = -32601;

/**
 * Returns a clear error if a handshake failed because server and client share no revision. Returns
 * other errors unchanged. A client whose revision is too new then asks for an earlier one.
 */
export function withoutCommonRevision(
  label: string,
  client: RelayedClient,
  error: RelayedError,
  { protocolVersion }: JsonObject,
): RelayedError {
  const { supported } = Object(error.data);
  const others = Array.isArray(supported) ? supported.join(', ') : '2026-07-28 or later';
  if (!Array.isArray(supported) && error.code !== methodNotFound) {
    return error;
  }
  const message = useHub(label, others, client.name, String(protocolVersion));
  return { ...error, message };
}

function useHub(server: string, revision: string, client: string, other: string): string {
  return (
    `The server "${server}" speaks revision ${revision} of the Model Context Protocol, and "${client}" ` +
    `speaks ${other}. Use the server through the hub of MCP Roots, which translates.`
  );
}
