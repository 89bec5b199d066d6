import { pairHash, pairHashLength } from './pairHash.ts';

/** A resource of a server, or a template of some. */
export interface ServerUri {
  readonly server: string;
  /** As the server itself writes it. */
  readonly uri: string;
}

const longestPrefix = 32;
// What can begin a scheme (RFC 3986, section 3.1). There are clients that write those in lower case.
const plainPrefix = /^[a-z][a-z0-9.-]*$/;
const hashed = /-[0-9a-f]{8}$/;

/** The URI upstream of a resource, or the template of some: `server+` and what the server says. */
export function exposedUri(server: string, uri: string): string {
  return `${uriPrefix(server)}+${uri}`;
}

/** Which resource of which of these servers a URI upstream is; `undefined`: of none of them. */
export function resolveExposedUri(uri: string, servers: Iterable<string>): ServerUri | undefined {
  const end = uri.indexOf('+');
  const prefix = uri.slice(0, Math.max(end, 0)).toLowerCase();
  for (const server of end > 0 ? servers : []) {
    if (uriPrefix(server) === prefix) {
      return { server, uri: uri.slice(end + 1) };
    }
  }
  return undefined;
}

function uriPrefix(server: string): string {
  if (server.length <= longestPrefix && plainPrefix.test(server) && !hashed.test(server)) {
    return server;
  }
  const fitting = server
    .slice(0, longestPrefix - '-'.length - pairHashLength)
    .replace(/[^A-Za-z0-9.-]/g, '-')
    .replace(/^(?![A-Za-z])/, 's')
    .toLowerCase();
  return `${fitting}-${pairHash(server, '')}`;
}
