import { offeredUri } from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { RawRequest } from '../hubHost.ts';
import type { GuardedCall } from '../session/guardedCalls.ts';
import type { Offer } from './offers.ts';

/** The result of a read for the hub's client: as it came, but for the URIs of its contents. */
export function offeredContents(server: string, result: Offer): Offer {
  const { contents } = result;
  return Array.isArray(contents)
    ? { ...result, contents: contents.map(content => withOfferedUri(server, content)) }
    : result;
}

/**
 * The result of a tool or a prompt for the hub's client: as it came, but for the URIs of the resources
 * that it links to or holds, which the client can read by the URIs that it gets.
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

type Members = Readonly<Record<string, unknown>>;

/** The members of these names. Others are left out, because they would not be judged by the roots. */
export function pick(value: unknown, names: readonly string[]): Members {
  const own = isJsonObject(value) ? value : {};
  const kept = names.filter(name => Object.hasOwn(own, name));
  return Object.fromEntries(kept.map(name => [name, own[name]]));
}

/**
 * The call with what the client says of its request in `_meta`, such as the ids of a trace: it goes
 * to the server too, and is held against the roots like the call itself.
 */
export function withMeta(request: RawRequest, call: Omit<GuardedCall, 'meta'>): GuardedCall {
  const { _meta } = request.params ?? {};
  const passed = Object.entries(isJsonObject(_meta) ? _meta : {}).filter(([key]) => goesOn(key));
  if (passed.length === 0) {
    return call;
  }
  // Each for itself, because names of different prefixes may be the same.
  const meta = passed.map(([key, value]) => ({ [key.slice(key.indexOf('/') + 1)]: value }));
  return { ...call, params: { ...call.params, _meta: Object.fromEntries(passed) }, meta };
}

/** The keys of the protocol itself are between two neighbours, of which the hub is one. */
function goesOn(key: string): boolean {
  return keyOfMeta.test(key) && key !== 'progressToken' && !key.startsWith(ofProtocol);
}

const ofProtocol = 'io.modelcontextprotocol/';

/** A prefix and a name, neither of which can lead anywhere. (2025-11-25, basic, `_meta`.) */
const keyOfMeta = /^(?:[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
