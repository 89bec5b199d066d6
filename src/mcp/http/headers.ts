import type { FetchLike } from '@modelcontextprotocol/client';

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
    // They are secrets of this server. No redirect and no metadata may make them another's.
    if (new URL(url).origin === origin) {
      for (const [name, value] of added) {
        headers.set(name, headers.get(name) ?? value);
      }
    }
    return fetch(url, { ...init, headers });
  };
}
