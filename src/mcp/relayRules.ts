import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/client';
import type { Era } from '../domain/exposure.ts';
import type { JsonObject } from '../domain/json.ts';
import { cut } from '../domain/printable.ts';
import { rootsCapability } from './rootsAnswerer.ts';

/** A client of a relay, by its own words. */
export interface RelayedClient {
  /** Its own claim, which nobody checks. */
  readonly name: string;
  readonly version: string;
}

/** The client in the message that it sends; nameless where it does not say. */
export function clientIn(message: JSONRPCMessage | undefined): RelayedClient {
  const { clientInfo, _meta: meta } = Object(Object(message).params);
  const isModern = isModernRequest(message);
  const { name, version } = Object(isModern ? meta[CLIENT_INFO_META_KEY] : clientInfo);
  const textOf = (value: unknown) => cut(typeof value === 'string' ? value : '', longestName);
  return { name: textOf(name), version: textOf(version) };
}

/** Every request of the later revisions declares what its client can do. (2026-07-28, basic/index.) */
export function isModernRequest(message: JSONRPCMessage | undefined): boolean {
  const { _meta: meta } = Object(Object(message).params);
  return Object.hasOwn(Object(meta), CLIENT_CAPABILITIES_META_KEY);
}

/** Only a client that declares roots has any: some answer a request for them with none all the same. */
export function declaresRoots(request: JSONRPCRequest): boolean {
  const { capabilities, _meta: meta } = Object(request.params);
  const declared = isModernRequest(request) ? meta[CLIENT_CAPABILITIES_META_KEY] : capabilities;
  return Object(declared).roots !== undefined;
}

/** Longer than any name of a client: it is shown, logged and kept with the answers on it. */
const longestName = 200;

/**
 * The state of the handshake: nothing yet, `initialize` was asked or answered, or it is over in the era of
 * the server's answer. A client that speaks another era later is refused.
 */
export type HandshakeState = 'open' | 'asked' | 'answered' | Era;

/**
 * Why a client can't ask this now, in a finished sentence. It is judged by its name, which is one for all
 * of a session: calls that were let through under one would else outlive the refusal of that.
 *
 * @param client as it named itself before.
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
    return `This session is that of "${client.name}": another client begins one of its own.`;
  }
  if (isModern) {
    const isOwn = handshake === 'open' || handshake === 'modern';
    return isOwn
      ? undefined
      : 'The session began with "initialize": requests declare nothing in it.';
  }
  if (method === 'initialize') {
    return handshake === 'open' ? undefined : 'The handshake of this session is over.';
  }
  if (handshake === 'modern') {
    return 'Each request of this session has to declare what its client can do.';
  }
  const isEarly = handshake !== 'legacy' && !free.has(method);
  return isEarly ? 'Only a handshake that is over lets a client use the server.' : undefined;
}

/** The requests whose answers are kept for when the server is away. */
export const said: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'tools/list', 'prompts/list'],
  ...['resources/list', 'resources/templates/list'],
]);

/** Requests that need no consent: they tell what a server is, and use nothing of it. */
const free: ReadonlySet<string> = new Set([...said, 'ping', 'logging/setLevel']);

/** Whether the request needs no consent. */
export function isFree({ method, params = {} }: JSONRPCRequest): boolean {
  if (free.has(method)) {
    // An answer to a question of the server is a use of it.
    return !Object.keys(params).some(key => /^(?:inputResponses|requestState)$/iu.test(key));
  }
  // So a client of the later revisions hears of changed lists. (2026-07-28, basic/utilities.)
  const { _meta, notifications, ...others } = params;
  const isOfLists = Object.keys(Object(notifications)).every(kind => kind.endsWith('ListChanged'));
  return method === 'subscriptions/listen' && isOfLists && Object.keys(others).length === 0;
}

/** Requests that may read files, and in the later revisions ask for roots. (2026-07-28, basic/patterns/mrtr.) */
export const usesRoots: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
]);

/** The request as one of a client that has roots, whatever this one has. */
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

/** The keys of a request that are read or set here. Servers in Go take them in any letter case. */
const keysOfOurs = /^(capabilities|_meta|inputResponses|requestState)$/;
const inAnyCase = new RegExp(keysOfOurs, 'iu');

function isOtherSpelling(key: string): boolean {
  return inAnyCase.test(key) && !keysOfOurs.test(key);
}

/** A result as the client sees it: the answer to a handshake names the server as the user does. */
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
 * The refusal of a handshake by a server that shares no revision with the client. A later revision
 * that the server has not got is no such refusal: the client then asks for an earlier one.
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
  const server = `The server "${label}" speaks revision ${others} of the Model Context Protocol`;
  const other = `"${client.name}" speaks ${String(protocolVersion)}`;
  return {
    ...error,
    message: `${server} and ${other}: use it through the hub of MCP Roots, which bridges them.`,
  };
}
