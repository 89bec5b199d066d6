import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { whenAborted } from '../../base/abortSignals.ts';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Exchange, refuse } from './exchange.ts';
import { SessionTransport } from './sessionTransport.ts';

/** The most sessions at a time. */
export const mostSessions = 100;

/** In milliseconds, counted from the moment at which no request and no stream of a session is open. */
const longestIdle = 30 * 60_000;

/** What serving sessions takes besides the servers. */
export interface SessionsOptions {
  readonly logger: Logger;
  readonly after: After;
}

/**
 * The sessions of legacy clients, each with a server, and so with roots, of its own.
 *
 * To know the id of a session is to be its client. So it is drawn at random, sent to the client
 * that began the session, and told to nobody else.
 */
export class LegacySessions {
  private readonly newServer: () => McpServer;
  private readonly options: SessionsOptions;
  /** By their ids, the oldest first. */
  private readonly sessions = new Map<string, LegacySession>();

  constructor(newServer: () => McpServer, options: SessionsOptions) {
    this.newServer = newServer;
    this.options = options;
  }

  async serve(exchange: Exchange): Promise<Response> {
    const id = exchange.request.headers.get('mcp-session-id');
    if (id === null) {
      return isInitializeRequest(exchange.body)
        ? this.begin(exchange)
        : refuse(400, withoutSession);
    }
    return this.sessions.get(id)?.serve(exchange) ?? refuse(404, unknownSession);
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(session => session.close()));
  }

  private async begin(exchange: Exchange): Promise<Response> {
    if (this.sessions.size >= mostSessions) {
      // Many clients never end their sessions, so one that is idle gives way.
      void [...this.sessions.values()].find(({ isIdle }) => isIdle)?.close();
    }
    if (this.sessions.size >= mostSessions) {
      return refuse(503, tooMany, { 'Retry-After': '60' });
    }
    const id = randomUUID();
    const onClose = () => this.sessions.delete(id);
    const session = new LegacySession(id, this.newServer(), { ...this.options, onClose });
    this.sessions.set(id, session);
    const response = await session.serve(exchange);
    if (!response.ok) {
      await session.close();
    }
    return response;
  }
}

const withoutSession =
  'This request belongs to no session. Send initialize without a session id first, and then the ' +
  'header Mcp-Session-Id; or speak revision 2026-07-28, which has no sessions.';

const unknownSession =
  'There is no such session. It has ended, or it was idle for too long, or gave way while it was idle. Begin a new one with ' +
  'initialize, without a session id.';

const tooMany =
  `This server serves ${mostSessions} sessions, which is its limit, and none of them is idle. ` +
  'End one, or try again later.';

/** One session of one legacy client, with a server of its own. */
class LegacySession {
  private readonly after: After;
  private readonly transport: SessionTransport;
  private readonly connected: Promise<void>;
  private exchanges = 0;
  private isClosed = false;
  private expiry: IDisposable | undefined;

  /** @param options `onClose` is called once, when the session has ended, from either side. */
  constructor(
    id: string,
    server: McpServer,
    { logger, after, onClose }: SessionsOptions & { readonly onClose: () => void },
  ) {
    this.after = after;
    this.transport = new SessionTransport(
      new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id }),
    );
    this.transport.onclose = () => {
      this.isClosed = true;
      this.expiry?.dispose();
      onClose();
    };
    server.server.onerror = error => logger.warn(error.message);
    this.connected = server.connect(this.transport);
  }

  /** Whether none of its requests and streams is open. */
  get isIdle(): boolean {
    return this.exchanges === 0;
  }

  async serve(exchange: Exchange): Promise<Response> {
    this.exchanges += 1;
    this.expiry?.dispose();
    whenAborted(exchange.request.signal, () => this.exchangeEnded());
    await this.connected;
    return this.transport.serve(exchange);
  }

  /** Ends its streams, its calls and its server. */
  close(): Promise<void> {
    return this.transport.close();
  }

  private exchangeEnded(): void {
    this.exchanges -= 1;
    if (this.isIdle && !this.isClosed) {
      this.expiry = this.after(longestIdle, () => void this.close());
    }
  }
}
