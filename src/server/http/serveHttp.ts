import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import { type After, startDeadline } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Era } from '../../domain/exposure.ts';
import { type Exchange, refuse } from './exchange.ts';
import { createGate, hostNameOf, type ListenAddress, listenProblem, mcpPath } from './gate.ts';
import { LegacySessions, mostSessions, type SessionsOptions } from './legacySessions.ts';
import { createListener } from './listener.ts';

/** What serving over HTTP takes besides the servers. */
interface HttpOptions extends ListenAddress {
  readonly logger: Logger;
  readonly after: After;
}

/** A server that listens, with its address for people; or why it does not, in finished sentences. */
type HttpService =
  | { readonly ok: true; readonly url: string; readonly close: () => Promise<void> }
  | { readonly ok: false; readonly reason: string };

/**
 * Serves MCP over HTTP in both eras. `close` ends all sessions, streams and calls, and settles when
 * no connection is left.
 */
export async function serveHttp(options: HttpOptions, newServer: NewServer): Promise<HttpService> {
  const problem = listenProblem(options);
  if (problem !== undefined) {
    return { ok: false, reason: problem };
  }
  const { logger, after } = options;
  const endpoint = new McpEndpoint(newServer, { logger, after });
  const serve = endpoint.serve.bind(endpoint);
  const listener = createListener({ gate: createGate(options), serve, logger });
  const server = await NodeServer.create(listener, logger);
  const listening = await server.listen(options);
  if (!listening.ok) {
    return listening;
  }
  const close = async () => {
    await Promise.all([endpoint.close(), server.close(after)]);
  };
  const url = `http://${hostNameOf(options.host)}:${listening.port}${mcpPath}`;
  return { ok: true, url, close };
}

/** Builds the server of one session, or of one request in the modern era. */
export type NewServer = (era: Era) => McpServer;

/**
 * Serves both eras at one address: a modern request by a server of its own, a legacy one by the
 * server of its session. No two clients ever share a server or a transport.
 */
class McpEndpoint {
  private readonly modern: McpHttpHandler;
  private readonly legacy: LegacySessions;
  private isClosed = false;

  constructor(newServer: NewServer, options: SessionsOptions) {
    const { logger } = options;
    this.modern = createMcpHandler(() => newServer('modern'), {
      // Without a session, the SDK could not ask a legacy client for its roots.
      legacy: 'reject',
      maxSubscriptions: mostSessions,
      onerror: error => logger.warn(error.message),
    });
    this.legacy = new LegacySessions(() => newServer('legacy'), options);
  }

  async serve(exchange: Exchange): Promise<Response> {
    if (this.isClosed) {
      return refuse(503, 'This server is being stopped.');
    }
    const { request, body } = exchange;
    return (await isLegacyRequest(request, body))
      ? this.legacy.serve(exchange)
      : this.modern.fetch(request, { parsedBody: body });
  }

  /** Ends all sessions, streams and calls. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.modern.close(), this.legacy.close()]);
  }
}

/** That a server listens, and on which port; or why it does not, as a finished sentence. */
type Listening =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly reason: string };

/** A server of Node that ends without cutting off what it still sends. */
class NodeServer {
  private readonly server: Server;
  private readonly logger: Logger;
  private readonly responses = new Set<ServerResponse>();

  private constructor(server: Server, logger: Logger) {
    this.server = server;
    this.logger = logger;
    server.on('request', (_request, response) => {
      this.responses.add(response);
      response.once('close', () => this.responses.delete(response));
    });
  }

  static async create(listener: RequestListener, logger: Logger): Promise<NodeServer> {
    // Loaded here, because it takes long, and the bundled server is mostly started for stdio.
    const { createServer } = await import('node:http');
    const options = { requestTimeout: longestSending, keepAliveTimeout: longestPause };
    return new NodeServer(createServer(options, listener), logger);
  }

  listen({ host, port }: ListenAddress): Promise<Listening> {
    const { server, logger } = this;
    return new Promise(resolve => {
      const fail = (error: NodeJS.ErrnoException) => {
        const why = error.code === 'EADDRINUSE' ? 'another program does so' : error.message;
        const reason = `It is not possible to listen on ${host}, port ${port}: ${why}.`;
        resolve({ ok: false, reason });
      };
      server.once('error', fail);
      server.listen({ host: hostNameOf(host)?.replace(/[[\]]/g, ''), port }, () => {
        server.off('error', fail).on('error', error => logger.warn(error.message));
        resolve({ ok: true, port: (server.address() as AddressInfo).port });
      });
    });
  }

  /** Listens no longer, lets answers go out for a moment, and cuts off the rest. */
  async close(after: After): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    const responses = [...this.responses].map(
      response => new Promise(resolve => response.once('close', resolve)),
    );
    const deadline = startDeadline(after, longestEnd);
    await Promise.race([Promise.all(responses), deadline.over]);
    deadline.dispose();
    // The connections that are left wait for a next request, or for a client that reads nothing.
    this.server.closeAllConnections();
    await closed;
  }
}

/** In milliseconds. */
const longestEnd = 1000;

/** In milliseconds: how long a request may take to arrive, and so keep room that others need. */
const longestSending = 60_000;

/**
 * In milliseconds: how long a connection waits for a next request. An agent's calls are often more than
 * Node's 5 s apart, and one that is sent as its connection ends is lost: no client repeats a call.
 */
const longestPause = 60_000;
