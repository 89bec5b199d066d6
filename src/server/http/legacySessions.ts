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

/** What serving sessions takes besides the servers. */
export interface SessionsOptions {
  readonly limits: SessionLimits;
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
  /** By their ids. Of the idle ones, the first is idle for the longest time. */
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
    const { limits } = this.options;
    if (!this.makeRoom()) {
      return refuse(503, tooMany(limits.count), { 'Retry-After': '60' });
    }
    const id = randomUUID();
    const session = new LegacySession(this.newServer(), {
      ...this.options,
      id,
      onIdle: () => this.moveToEnd(id, session),
      onClose: () => this.sessions.delete(id),
    });
    this.sessions.set(id, session);
    const response = await session.serve(exchange);
    if (!response.ok) {
      await session.close();
    }
    return response;
  }

  /** Says whether there is a place for one more, if need be that of a session that is idle. */
  private makeRoom(): boolean {
    if (this.sessions.size < this.options.limits.count) {
      return true;
    }
    const idle = [...this.sessions].filter(([, session]) => session.isIdle);
    // A client that only ever sends initialize must not drive out sessions that are in use.
    const [id, session] = idle.find(([, { isInUse }]) => !isInUse) ?? idle[0] ?? [];
    if (id === undefined || session === undefined) {
      return false;
    }
    this.sessions.delete(id);
    void session.close();
    return true;
  }

  private moveToEnd(id: string, session: LegacySession): void {
    if (this.sessions.delete(id)) {
      this.sessions.set(id, session);
    }
  }
}

const withoutSession =
  'This request belongs to no session. Send initialize without a session id first, and then the ' +
  'header Mcp-Session-Id; or speak revision 2026-07-28, which has no sessions.';

const unknownSession =
  'There is no such session. It has ended, or it was idle for too long, or gave way while it was idle. Begin a new one with ' +
  'initialize, without a session id.';

function tooMany(count: number): string {
  return (
    `This server serves ${count} sessions, which is its limit, and none of them is idle. ` +
    'End one, or try again later.'
  );
}

/** How many sessions there may be, and how long one may be idle. */
interface SessionLimits {
  readonly count: number;
  /** In milliseconds, counted from the moment at which no request and no stream is open. */
  readonly idle: number;
  /** The same for a session whose client has sent nothing after `initialize`. */
  readonly idleAtFirst: number;
}

/** What a {@link LegacySession} is besides its server. */
interface LegacySessionOptions {
  readonly id: string;
  readonly logger: Logger;
  readonly after: After;
  readonly limits: SessionLimits;
  /** Called whenever the last of its requests and streams has ended. */
  readonly onIdle: () => void;
  /** Called once, when the session has ended, from either side. */
  readonly onClose: () => void;
}

/** One session of one legacy client, with a server of its own. */
class LegacySession {
  private readonly options: LegacySessionOptions;
  private readonly transport: SessionTransport;
  private readonly connected: Promise<void>;
  private exchanges = 0;
  private served = 0;
  private isClosed = false;
  private expiry: IDisposable | undefined;

  constructor(server: McpServer, options: LegacySessionOptions) {
    const { id, logger, onClose } = options;
    this.options = options;
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

  /** Whether its client has sent anything after `initialize`. */
  get isInUse(): boolean {
    return this.served > 1;
  }

  async serve(exchange: Exchange): Promise<Response> {
    this.exchanges += 1;
    this.served += 1;
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
    const { after, limits, onIdle } = this.options;
    this.exchanges -= 1;
    if (this.isIdle && !this.isClosed) {
      const idle = this.isInUse ? limits.idle : limits.idleAtFirst;
      this.expiry = after(idle, () => void this.close());
      onIdle();
    }
  }
}
