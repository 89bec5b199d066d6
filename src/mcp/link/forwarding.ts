import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../domain/json.ts';
import type { Progress } from '../../domain/progress.ts';
import type { ResponseBody } from '../process/wire.ts';

/** A request of another client that is forwarded to a server. The request has no time limit. */
export interface ForwardedRequest {
  readonly method: string;
  /** Metadata for one hop only, such as the protocol revision, is removed on the way. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers questions of a modern server within the request. Left out: the session's relay answers. */
  readonly answer?: (question: RelayedRequest, signal: AbortSignal) => Promise<JsonObject>;
}

/** A request as its sender made it: a client, a person or a server. */
export interface RelayedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** A request of a client or a person for a server, from its arrival until its end. */
export interface AskedRequest extends RelayedRequest {
  /** Resolves to the response, or to `undefined` if the request ends without a response. Never rejects. */
  readonly ended: Promise<ResponseBody | undefined>;
}

/** A question that a server asks before it answers a request. */
export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** Questions by the names that the server gave them. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** The answers to the questions of a server. */
export interface InputAnswers {
  /** The answers by the questions' names. Only the answer to our own question may hold roots. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly continuation: string;
}

/** Questions for the other client to answer. */
export interface ForwardedQuestions {
  readonly kind: 'questions';
  /** All questions except questions for roots, which we answer ourselves. */
  readonly requests: InputRequests;
  /** An opaque text that the client returns with its answers. It is not secret, and is checked on return. */
  readonly continuation: string;
}

/** The result that asks to repeat a request with answers. (2026-07-28, basic/patterns/mrtr.) */
export function asInputRequired(inputRequests: InputRequests, requestState: string) {
  return { resultType: 'input_required', inputRequests, requestState };
}

/** Metadata for one hop from sender to receiver: the revision, the client, and a progress token. */
const ofOneHop = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  'progressToken',
];

/**
 * Returns the parameters without metadata for one hop, which would be untrue on the next hop.
 * `_meta` is left out if nothing else is in it.
 */
export function withoutHop(params: JsonObject): JsonObject {
  if (params['_meta'] === undefined) {
    return params;
  }
  const { _meta, ...rest } = params;
  const kept = Object.entries(Object(_meta)).filter(([key]) => !ofOneHop.includes(key));
  return kept.length > 0 ? { ...rest, _meta: Object.fromEntries(kept) } : rest;
}

/** The parameters without answers to a server's questions. Only our code may add answers. */
export function withoutAnswers(params: JsonObject): JsonObject {
  const { inputResponses, requestState, ...rest } = params;
  return rest;
}

/**
 * Returns the result without the `resultType` of a complete result. In the modern era, another
 * value stays, because it marks questions. In the legacy era, the field means nothing, and is
 * removed.
 */
export function withoutMark(result: JsonObject, era: ProtocolEra | undefined): JsonObject {
  const isOther = era === 'modern' && result['resultType'] !== 'complete';
  if (isOther || result['resultType'] === undefined) {
    return result;
  }
  const { resultType, ...rest } = result;
  return rest;
}
