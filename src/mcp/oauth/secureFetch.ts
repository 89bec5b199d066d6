import type { FetchLike } from '@modelcontextprotocol/client';
import { isOnThisMachine } from '../../domain/servers/loopback.ts';
import { SignInError } from './signInError.ts';

/**
 * Whether a server may send us, or a person, to this address to sign in: nobody on the way can read
 * what goes there. Without https that is so on this machine alone; but what listens here is none of
 * the business of a server that is elsewhere.
 */
export function isSecureFor(serverUrl: URL, { protocol, href }: URL): boolean {
  const isHere = isOnThisMachine(href) && isOnThisMachine(serverUrl.href);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** The fetch, for requests on behalf of this server: those to an address it may not name fail. */
export function secureFetch(fetch: FetchLike, serverUrl: URL): FetchLike {
  return async (url, init) => {
    if (!isSecureFor(serverUrl, new URL(url))) {
      throw new SignInError('Its authorization server is neither https nor on the same machine.');
    }
    return fetch(url, init);
  };
}
