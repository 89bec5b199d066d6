import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { IDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Era } from '../roots/rootsView.ts';
import type { Exchange } from './exchange.ts';
import { LegacySessions, type SessionsOptions } from './legacySessions.ts';
import { refuse } from './refuse.ts';

/** Builds the server of one session, or of one request in the modern era. */
export type NewServer = (era: Era) => McpServer;

/** What an endpoint takes besides the servers. */
export interface EndpointOptions extends SessionsOptions {
  /** Tells of a list that may be another for every modern client: those that listen are told. */
  readonly onDidChangeList?: Event<'tools' | 'resources' | 'prompts'> | undefined;
}

/**
 * Serves both eras at one address: a modern request by a server of its own, a legacy one by the
 * server of its session. No two clients ever share a server or a transport.
 */
export class McpEndpoint {
  private readonly modern: McpHttpHandler;
  private readonly legacy: LegacySessions;
  private readonly publishing: IDisposable | undefined;
  private isClosed = false;

  constructor(newServer: NewServer, options: EndpointOptions) {
    const { limits, logger } = options;
    this.modern = createMcpHandler(() => newServer('modern'), {
      // Without a session, the SDK could not ask a legacy client for its roots.
      legacy: 'reject',
      maxSubscriptions: limits.count,
      onerror: error => logger.warn(error.message),
    });
    this.legacy = new LegacySessions(() => newServer('legacy'), options);
    // The server of a modern request has ended before it could tell of anything.
    this.publishing = options.onDidChangeList?.(list =>
      this.modern.notify[`${list}Changed` as const](),
    );
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
    this.publishing?.dispose();
    await Promise.all([this.modern.close(), this.legacy.close()]);
  }
}
