import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { Era } from '../../domain/exposure.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { logLevels } from '../../domain/logLevels.ts';
import type { RequestContext } from '../requestContext.ts';

/** What a `tools/call` request says. */
export interface ReadCall {
  readonly name: string;
  /** Empty where the client sent none. */
  readonly args: JsonObject;
  /** All of the request's `params`, as they came. */
  readonly params: JsonObject;
  /** The part of its context that the request brings along. */
  readonly brought: Brought;
}

type Brought = Pick<
  RequestContext['mcpReq'],
  '_meta' | 'envelope' | 'inputResponses' | 'droppedInputResponseKeys' | 'requestState'
>;

/**
 * What a `tools/call` request says, or what is wrong with it, as a sentence. (Model Context Protocol
 * 2025-11-25 and 2026-07-28, server/tools; 2026-07-28, basic and basic/patterns/mrtr.)
 */
export function readCall({ params = {} }: JSONRPCRequest, era: Era): ReadCall | string {
  const { name, arguments: args = {}, _meta = {} } = params;
  if (typeof name !== 'string') {
    return 'params.name has to be a string.';
  }
  if (!isJsonObject(args)) {
    return 'params.arguments has to be an object.';
  }
  const brought = era === 'legacy' ? { requestState: noState } : broughtBy(params, _meta);
  return typeof brought === 'string'
    ? brought
    : { name, args, params, brought: { ...brought, _meta } };
}

const noState = () => undefined;

/** What a modern request brings besides, or what is wrong with it. */
function broughtBy(
  { inputResponses, requestState }: JsonObject,
  envelope: JsonObject,
): Omit<Brought, '_meta'> | string {
  if (requestState !== undefined && typeof requestState !== 'string') {
    return 'params.requestState has to be a string.';
  }
  const problem = envelopeProblem(envelope);
  return (
    problem ?? {
      envelope,
      requestState: requestState === undefined ? noState : () => requestState,
      ...(inputResponses !== undefined && answersIn(inputResponses)),
    }
  );
}

/** An answer stands as it is: one with `method` or `result` is the envelope of one. */
function answersIn(given: unknown): Pick<Brought, 'inputResponses' | 'droppedInputResponseKeys'> {
  const entries = Object.entries(isJsonObject(given) ? given : {});
  const isAnswer = ([, answer]: readonly [string, unknown]) =>
    isJsonObject(answer) && !('method' in answer) && !('result' in answer);
  const dropped = entries.filter(entry => !isAnswer(entry)).map(([key]) => key);
  return {
    inputResponses: Object.fromEntries(entries.filter(isAnswer)),
    ...(dropped.length > 0 && { droppedInputResponseKeys: dropped }),
  };
}

/** What is wrong with what a modern request has to tell of its client. */
function envelopeProblem(envelope: JsonObject): string | undefined {
  const client = envelope[CLIENT_INFO_META_KEY];
  const level = envelope[LOG_LEVEL_META_KEY];
  if (typeof envelope[PROTOCOL_VERSION_META_KEY] !== 'string') {
    return `params._meta has to name the revision of the protocol (${PROTOCOL_VERSION_META_KEY}).`;
  }
  if (!areCapabilities(envelope[CLIENT_CAPABILITIES_META_KEY])) {
    return `params._meta has to say what the client can do (${CLIENT_CAPABILITIES_META_KEY}).`;
  }
  if (client !== undefined && !isImplementation(client)) {
    return `params._meta has to name the client and its version (${CLIENT_INFO_META_KEY}).`;
  }
  return level === undefined || logLevels.some(known => known === level)
    ? undefined
    : `params._meta names no level of a log that is known (${LOG_LEVEL_META_KEY}).`;
}

const capabilityNames = ['elicitation', 'experimental', 'extensions', 'roots', 'sampling'];

function areCapabilities(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    capabilityNames.every(name => value[name] === undefined || isJsonObject(value[name]))
  );
}

function isImplementation(value: unknown): boolean {
  return (
    isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}
