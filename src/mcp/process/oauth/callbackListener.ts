import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameSecret } from '../../../domain/secrets/sameSecret.ts';

const host = '127.0.0.1';
const path = '/callback';
/** Time limit for the last page to reach the browser, in milliseconds. */
const longestPage = 500;

/**
 * Waits on this machine for the browser to return from a sign-in. Ignores a request without the
 * right state, because any page can send a browser here.
 */
export class CallbackListener {
  readonly redirectUrl: string;
  readonly answer: Promise<URLSearchParams>;
  private readonly server: Server;

  private constructor(server: Server, state: string) {
    this.server = server;
    this.redirectUrl = `http://${host}:${(server.address() as AddressInfo).port}${path}`;
    this.answer = new Promise(resolve => {
      server.on('request', (request, response) => {
        const answer = answerIn(request, this.redirectUrl);
        if (!answer) {
          show(response, 404, 'This address has no page.');
        } else if (!isSameSecret(answer.get('state') ?? '', state)) {
          show(response, 400, 'This sign-in is not the current one. Sign in from the editor.');
        } else {
          const isSignedIn = answer.has('code');
          const text = isSignedIn ? 'You are signed in.' : 'You are not signed in.';
          show(response, 200, `${text} You can close this window and go back to the editor.`);
          resolve(answer);
        }
      });
    });
  }

  /** @param port the port of an earlier sign-in, taken again if it is free. */
  static async open(state: string, port: number): Promise<CallbackListener> {
    return new CallbackListener(await listen(port).catch(() => listen(0)), state);
  }

  /** Resolves when nothing listens on the port any more. */
  async close(): Promise<void> {
    this.server.close();
    this.server.closeIdleConnections();
    const closed = once(this.server, 'close');
    // A page on its way may still arrive. A connection that hangs is cut.
    const timer = setTimeout(() => this.server.closeAllConnections(), longestPage);
    await closed;
    clearTimeout(timer);
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 32 * 1024 });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** The parameters of a request to the redirect URL; `undefined` for any other request. */
function answerIn(
  { method, url = '' }: IncomingMessage,
  redirectUrl: string,
): URLSearchParams | undefined {
  const target = URL.parse(url, redirectUrl);
  return method === 'GET' && target?.pathname === path ? target.searchParams : undefined;
}

/** Shows a text of ours. Never shows text from a request. */
function show(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><title>MCP Roots</title><p>${text}</p>`);
}
