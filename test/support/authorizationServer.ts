import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';
import { type Interfere, type RawHttpServer, rawHttpServer, sendJson } from './rawHttpServer.ts';

/** The faults of a test's authorization server. */
export interface AuthorizationOptions {
  /** The page sends the browser back with this error. */
  refusal?: { readonly error: string; readonly error_description: string };
  /** Where it says that the page is. */
  authorizationEndpoint?: string;
  refusesRefresh?: boolean;
  /** Whether the server that it protects asks for no token now. */
  isOpen?: () => boolean;
  /** It gives nobody a token, and repeats the request in its answer. */
  repeatsRequests?: boolean;
  /** The server has forgotten all clients, and gives nobody a token. */
  knowsNobody?: boolean;
  /** It registers no client: it says so from the start, or in these words. It knows the client `mine`. */
  registersNone?: true | string;
}

export type AuthorizationServer = Awaited<ReturnType<typeof authorizationServer>>;

/** An authorization server with PKCE, dynamic registration and refresh tokens that are used once. */
export async function authorizationServer(t: TestContext, options: AuthorizationOptions = {}) {
  /** The requests, such as `POST /token refresh_token`. */
  const log: string[] = [];
  const headers = new Set<string>();
  const pages: URLSearchParams[] = [];
  /** The access tokens that were given out and are valid. */
  const tokens = new Set<string>();
  /** All secrets that were given out. */
  const secrets: string[] = [];
  const clients = new Map<string, string>();
  const codes = new Map<string, URLSearchParams>();
  const refreshTokens = new Set<string>();
  const given = (kind: string) => {
    const secret = `${kind}-${randomUUID()}`;
    secrets.push(secret);
    return secret;
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const body = await textOf(request);
    const form = new URLSearchParams(body);
    const grant = form.get('grant_type');
    Object.keys(request.headers).forEach(name => void headers.add(name));
    log.push(`${request.method} ${pathname}${grant ? ` ${grant}` : ''}`);
    if (pathname === '/.well-known/oauth-authorization-server') {
      sendJson(response, 200, metadata(url, options));
    } else if (pathname === '/register' && options.registersNone) {
      const error_description = options.registersNone;
      sendJson(response, 400, { error: 'invalid_redirect_uri', error_description });
    } else if (pathname === '/register') {
      const client = { ...(JSON.parse(body) as object), client_id: given('client') };
      const { redirect_uris: [redirect = ''] = [] } = client as { redirect_uris?: string[] };
      clients.set(client.client_id, redirect);
      sendJson(response, 201, client);
    } else if (pathname === '/authorize') {
      pages.push(searchParams);
      sendBack(searchParams, response);
    } else if (pathname === '/token' && options.repeatsRequests) {
      sendJson(response, 400, { error: 'invalid_request', error_description: `what is ${body}?` });
    } else if (pathname === '/token' && options.knowsNobody) {
      sendJson(response, 401, { error: 'invalid_client', error_description: 'no such client' });
    } else if (pathname === '/token' && (takesCode(form) || takesRefreshToken(form))) {
      const [access_token, refresh_token] = [given('access'), given('refresh')];
      tokens.add(access_token);
      refreshTokens.add(refresh_token);
      sendJson(response, 200, { access_token, refresh_token, token_type: 'Bearer' });
    } else {
      sendJson(response, 400, { error: 'invalid_grant', error_description: 'no such thing' });
    }
  }

  function sendBack(page: URLSearchParams, response: ServerResponse): void {
    const redirect = page.get('redirect_uri') ?? '';
    const id = page.get('client_id') ?? '';
    if (clients.get(id) !== redirect && !(options.registersNone && id === 'mine')) {
      response.writeHead(400).end('no such client');
      return;
    }
    const code = given('code');
    codes.set(code, page);
    const result = new URLSearchParams({ ...(options.refusal ?? { code }), iss: url });
    result.set('state', page.get('state') ?? '');
    response.writeHead(302, { location: `${redirect}?${result}` }).end();
  }

  function takesCode(form: URLSearchParams): boolean {
    const page = codes.get(form.get('code') ?? '');
    const hash = createHash('sha256').update(form.get('code_verifier') ?? '');
    return (
      codes.delete(form.get('code') ?? '') &&
      page?.get('code_challenge') === hash.digest('base64url') &&
      page.get('redirect_uri') === form.get('redirect_uri') &&
      page.get('resource') === form.get('resource')
    );
  }

  function takesRefreshToken(form: URLSearchParams): boolean {
    return !options.refusesRefresh && refreshTokens.delete(form.get('refresh_token') ?? '');
  }

  const { isOpen = () => false } = options;
  return { url, log, headers, pages, tokens, isOpen, secrets };
}

/**
 * A server that asks for a token of that authorization server.
 *
 * @param answer answers requests with a token, instead of the usual answer.
 */
export function protectedServer(
  t: TestContext,
  authorization: AuthorizationServer,
  answer: Interfere = () => false,
): Promise<RawHttpServer> {
  const guard: Interfere = (exchange, response) => {
    const { request } = exchange;
    const { pathname, origin } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const resource = { resource: `${origin}/mcp`, authorization_servers: [authorization.url] };
      return sendJson(response, 200, resource);
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (authorization.tokens.has(token) || authorization.isOpen()) {
      return answer(exchange, response);
    }
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
    return sendJson(response, 401, { error: 'invalid_token' });
  };
  return rawHttpServer(t, guard);
}

function metadata(
  url: string,
  { authorizationEndpoint, registersNone }: AuthorizationOptions,
): object {
  return {
    issuer: url,
    authorization_endpoint: authorizationEndpoint ?? `${url}/authorize`,
    token_endpoint: `${url}/token`,
    ...(registersNone !== true && { registration_endpoint: `${url}/register` }),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
