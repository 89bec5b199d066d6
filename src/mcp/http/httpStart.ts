import type { FetchLike } from '@modelcontextprotocol/client';
import type { Authorization } from '../oauth/authorization.ts';

/** The address of a server over HTTP, with everything resolved. */
export interface HttpStart {
  readonly url: string;
  /** `sse`: the server speaks the older HTTP with SSE. Left out: that is tried when it has to be. */
  readonly transport?: 'sse';
  /** Sent to the origin of the URL, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  /** Left out: a server that asks for a sign-in is not reached. */
  readonly authorization?: Authorization;
  /** Whether a person asked for this start, and may be asked to sign in. */
  readonly isInteractive?: boolean;
  /** Values that no failure may repeat. */
  readonly secrets?: readonly string[];
}

/**
 * The address of a server.
 *
 * @throws when it can't be one; the error does not say what it is, which may hold a secret.
 */
export function addressOf(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error('The address begins with neither https nor http.');
  }
  if (url.username || url.password) {
    throw new Error('The address holds a name or a password. Use a header for those.');
  }
  return url;
}

/**
 * Headers as they can be sent.
 *
 * @throws when one of them can't; the error names it, and does not say its value.
 */
export function headersOf(named: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(named)) {
    try {
      headers.append(name, value);
    } catch {
      // The error of the platform quotes the value, which may be a secret.
      throw new Error(`The header "${name}" has a name or a value that no header can have.`);
    }
  }
  return headers;
}

/**
 * A fetch that adds headers to the requests to one origin. Those that a request has already stay: a
 * token from a sign-in is newer than one from the settings.
 */
export function withHeaders(fetch: FetchLike, origin: string, added: Headers): FetchLike {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    // The headers are secrets of this server. No redirect and no metadata may send them to another.
    if (new URL(url).origin === origin) {
      for (const [name, value] of added) {
        headers.set(name, headers.get(name) ?? value);
      }
    }
    return fetch(url, { ...init, headers });
  };
}
