import { offeredUri } from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import { isHumanError } from '../../domain/sentence.ts';
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
