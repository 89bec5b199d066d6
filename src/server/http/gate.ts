import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { isSameSecret } from '../../domain/secrets/sameSecret.ts';
import { refuse } from './exchange.ts';

/** The one path that speaks MCP. */
export const mcpPath = '/mcp';

/** Refuses a request by its head, before its body is read. */
type Gate = (head: Pick<IncomingMessage, 'url' | 'headers'>) => Response | undefined;

/** Says to whom a server that listens there does not answer, and why. `undefined`: it answers. */
export function createGate(address: ListenAddress): Gate {
  const names = ['localhost', '127.0.0.1', '[::1]', hostNameOf(address.host) ?? ''];
  // Which names lead to all addresses of a machine is not known to it. The token, which is
  // required there, is what a page on a foreign name does not have.
  const isHostChecked = !isWildcard(address.host);
  return ({ url = '', headers }) => {
    if (isHostChecked && !validateHostHeader(headers.host, names).ok) {
      return refuse(403, `This server is not reached by that Host header. ${allowed(names)}`);
    }
    if (!validateOriginHeader(headers.origin, names).ok) {
      return refuse(403, `This server does not serve web pages of that origin. ${allowed(names)}`);
    }
    if (url.split('?')[0] !== mcpPath) {
      return refuse(404, `There is nothing at this path. MCP is served at ${mcpPath}.`);
    }
    return address.token === undefined ? undefined : tokenRefusal(headers, address.token);
  };
}

function allowed(names: readonly string[]): string {
  return `Allowed are ${[...new Set(names)].join(', ')}.`;
}

function tokenRefusal({ authorization }: IncomingHttpHeaders, token: string): Response | undefined {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, token)) {
    return undefined;
  }
  const challenge = given === undefined ? '' : ', error="invalid_token"';
  return refuse(
    401,
    'This server needs the bearer token that it was started with, in the header Authorization.',
    { 'WWW-Authenticate': `Bearer realm="mcp-roots"${challenge}` },
  );
}

/** The address to listen at, and the bearer token that every request has to bring. */
export interface ListenAddress {
  /** A host name or an address, without brackets; `0.0.0.0` and `::` stand for all addresses. */
  readonly host: string;
  /** 0 stands for any free port. */
  readonly port: number;
  readonly token?: string | undefined;
}

/** The reason that a server must not listen there, as finished sentences; `undefined` when it may. */
export function listenProblem({ host, token }: ListenAddress): string | undefined {
  if (hostNameOf(host) === undefined) {
    return `"${host}" is no host to listen on. Name a host or an address, such as 127.0.0.1.`;
  }
  if (token === undefined) {
    return isLoopback(host)
      ? undefined
      : `Other machines can reach ${host}, so a token is required. Put a long random one into an ` +
          'environment variable and name that variable with --token-env.';
  }
  // Nothing else arrives in the header as it was sent.
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'The token must be printable ASCII characters without spaces.';
}

/** The host as it stands in a URL: in lower case, an IPv6 address in brackets. */
export function hostNameOf(host: string): string | undefined {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  return /[\s/?#@%\\[\]]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).hostname;
}

/** Whether only programs on this machine can reach the host. Of all names, only `localhost` says so. */
export function isLoopback(host: string): boolean {
  const name = hostNameOf(host) ?? '';
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);
}

/** Whether the host stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return ['0.0.0.0', '[::]'].includes(hostNameOf(host) ?? '');
}
