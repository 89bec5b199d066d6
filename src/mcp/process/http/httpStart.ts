import type { FetchLike } from '@modelcontextprotocol/client';
import type { Authorization } from '../oauth/authorization.ts';

/** How to reach a server over HTTP, with everything resolved. */
export interface HttpStart {
  readonly url: string;
  /** `sse`: the older HTTP with SSE. Left out: the newer HTTP, and after a refusal the older. */
  readonly transport?: 'sse';
  /** Sent only to the origin of the URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** The way to sign in. Left out: a server that asks for a sign-in can't be reached. */
  readonly authorization?: Authorization;
  /** Whether a person asked for this start, and may be asked to sign in. */
  readonly isInteractive?: boolean;
  /** Values that no failure may repeat. */
  readonly secrets?: readonly string[];
}

/**
 * The address of a server.
 *
 * @throws when the address is not usable. The error does not show the address, which may hold a secret.
 */
export function addressOf(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error('The address must begin with https or http.');
  }
  if (url.username || url.password) {
    throw new Error('The address has a user name or a password. Use a header instead.');
  }
  return url;
}

/**
 * Makes headers from names and values.
 *
 * @throws when a header can't be sent. The error gives the header's name, but not its value.
 */
export function headersOf(named: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(named)) {
    try {
      headers.append(name, value);
    } catch {
      // The platform's error quotes the value, which may be a secret.
      throw new Error(`The header "${name}" has a name or a value that is not allowed in headers.`);
    }
  }
  return headers;
}

/**
 * Returns a fetch that adds headers to requests to one origin. A header that the request already
 * has stays: the token of a sign-in is newer than a token from the settings.
 */
export function withHeaders(fetch: FetchLike, origin: string, added: Headers): FetchLike {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    // The headers are secrets of this server. No redirect and no metadata may send them elsewhere.
    if (new URL(url).origin === origin) {
      for (const [name, value] of added) {
        headers.set(name, headers.get(name) ?? value);
      }
    }
    return fetch(url, { ...init, headers });
  };
}
