import { offeredUri } from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { RawRequest } from '../hubHost.ts';
import type { GuardedCall } from '../session/guardedCalls.ts';
import type { Offer } from './upstreamOffers.ts';

/** The result of a read for the hub's client: as it came, but with the client's URIs in its contents. */
export function offeredContents(server: string, result: Offer): Offer {
  const { contents } = result;
  return Array.isArray(contents)
    ? { ...result, contents: contents.map(content => withOfferedUri(server, content)) }
    : result;
}

/**
 * The result of a tool or a prompt for the hub's client: as it came, but with URIs by which the client
 * can read the resources that it links to or holds.
 */
export function offeredResult(server: string, result: Offer): Offer {
  const { content, messages } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: withOfferedLinks(server, content) }),
    ...(Array.isArray(messages) && {
      messages: messages.map(message =>
        isJsonObject(message) && 'content' in message
          ? { ...message, content: withOfferedLinks(server, message['content']) }
          : message,
      ),
    }),
  };
}

function withOfferedLinks(server: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    return content.map(item => withOfferedLinks(server, item));
  }
  if (!isJsonObject(content)) {
    return content;
  }
  const { type, resource } = content;
  if (type === 'resource' && resource !== undefined) {
    return { ...content, resource: withOfferedUri(server, resource) };
  }
  return type === 'resource_link' ? withOfferedUri(server, content) : content;
}

function withOfferedUri(server: string, content: unknown): unknown {
  return content instanceof Object && 'uri' in content && typeof content.uri === 'string'
    ? { ...content, uri: offeredUri(server, content.uri) }
    : content;
}

/**
 * The call with what the client's request has in `_meta`, such as the ids of a trace: that goes to
 * the server too, and the guard judges it like the arguments.
 */
export function withMeta(request: RawRequest, call: Omit<GuardedCall, 'meta'>): GuardedCall {
  const { _meta } = request.params ?? {};
  const passed = Object.entries(isJsonObject(_meta) ? _meta : {}).filter(([key]) => goesOn(key));
  if (passed.length === 0) {
    return call;
  }
  // In an object each, because two keys may be the same without their prefixes.
  const meta = passed.map(([key, value]) => ({ [key.slice(key.indexOf('/') + 1)]: value }));
  return { ...call, params: { ...call.params, _meta: Object.fromEntries(passed) }, meta };
}

/** The protocol's own keys are meant for the next hop alone, which is the hub. */
function goesOn(key: string): boolean {
  return keyOfMeta.test(key) && key !== 'progressToken' && !key.startsWith(ofProtocol);
}

const ofProtocol = 'io.modelcontextprotocol/';

/** An optional prefix and a name (2025-11-25, basic, `_meta`). What leads out of a folder is none. */
const keyOfMeta = /^(?:[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;

/**
 * For requests whose result has no place for an error: one that a person can act on becomes the
 * error of the request.
 */
export async function asRequestError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isHumanError(error) ? Object.assign(error, { code: invalidParams }) : error;
  }
}

const invalidParams = -32602;
