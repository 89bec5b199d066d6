import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { isSameSecret } from '../../domain/secrets/sameSecret.ts';
import { refuse } from './exchange.ts';

/** The only path that serves MCP. */
export const mcpPath = '/mcp';

/** Checks the head of a request before its body is read. Returns a refusal, or `undefined` for none. */
type HeadCheck = (head: Pick<IncomingMessage, 'url' | 'headers'>) => Response | undefined;

/** Creates the check of Host, Origin, path and token for a server at this address. */
export function createHeadCheck(address: ListenAddress): HeadCheck {
  const names = ['localhost', '127.0.0.1', '[::1]', hostNameOf(address.host) ?? ''];
  // A machine does not know all names that lead to its addresses. The token, which is required for
  // these addresses, keeps out a web page that uses another name.
  const isHostChecked = !isWildcard(address.host);
  return ({ url = '', headers }) => {
    // The request line may hold a whole URL, as for a proxy. (RFC 9112, 3.2.2.)
    const [, host = headers.host, target = url] = /^http:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
    if (headers.host?.includes(',')) {
      return refuse(400, 'A request must have one Host header.');
    }
    if (isHostChecked && ![host, headers.host].every(name => validateHostHeader(name, names).ok)) {
      return refuse(403, `The Host header names another server. ${allowed(names)}`);
    }
    if (host?.includes('@') || !URL.canParse(url, 'http://localhost')) {
      return refuse(400, 'The address of a request must be a URL without a user name.');
    }
    if (!validateOriginHeader(headers.origin, names).ok) {
      return refuse(403, `This server refuses web pages of that origin. ${allowed(names)}`);
    }
    if (target.split('?')[0]?.replace(/\/$/, '') !== mcpPath) {
      return refuse(404, `Nothing is at this path. Send MCP requests to ${mcpPath}.`);
    }
    return address.token === undefined ? undefined : tokenRefusal(headers, address.token);
  };
}

function allowed(names: readonly string[]): string {
  return `Allowed values: ${[...new Set(names)].join(', ')}.`;
}

function tokenRefusal({ authorization }: IncomingHttpHeaders, token: string): Response | undefined {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (given !== undefined && isSameSecret(given, token)) {
    return undefined;
  }
  const challenge = given === undefined ? '' : ', error="invalid_token"';
  return refuse(
    401,
    'Send the bearer token that this server was started with, in the header Authorization.',
    { 'WWW-Authenticate': `Bearer realm="mcp-roots"${challenge}` },
  );
}

/** The address to listen at, and the bearer token that each request must carry. */
export interface ListenAddress {
  /** A host name, or an address without brackets. `0.0.0.0` and `::` mean all addresses. */
  readonly host: string;
  /** The port to listen at. 0 means any free port. */
  readonly port: number;
  readonly token?: string | undefined;
}

/** Why a server must not listen at this address, in finished sentences. `undefined`: it may. */
export function listenProblem({ host, token }: ListenAddress): string | undefined {
  if (hostNameOf(host) === undefined) {
    return `"${host}" is not a host to listen on. Name a host or an address, such as 127.0.0.1.`;
  }
  if (token === undefined) {
    return isLoopback(host) ? undefined : needsToken(host);
  }
  // Other characters do not arrive in a header unchanged.
  return /^[\x21-\x7e]+$/.test(token) ? undefined : unsendableToken;
}

function needsToken(host: string): string {
  return (
    `Other machines can reach ${host}, so a token is required. Put a long random token into an ` +
    'environment variable, and name the variable with --token-env.'
  );
}

const unsendableToken = 'The token must be printable ASCII characters without spaces.';

/** The host as in a URL: in lower case, an IPv6 address in brackets. `undefined`: the host is invalid. */
export function hostNameOf(host: string): string | undefined {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  return /[\s/?#@%\\[\]]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).hostname;
}

/** Whether only programs on this machine can reach the host. The only such name is `localhost`. */
function isLoopback(host: string): boolean {
  const name = hostNameOf(host) ?? '';
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);
}

/** Whether the host stands for every address of this machine. */
function isWildcard(host: string): boolean {
  return ['0.0.0.0', '[::]'].includes(hostNameOf(host) ?? '');
}
