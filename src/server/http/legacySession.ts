import {
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import type { Exchange } from './exchange.ts';
import { SessionTransport } from './sessionTransport.ts';
import { whenAborted } from './whenAborted.ts';

/** How many sessions there may be, and how long one may be idle. */
export interface SessionLimits {
  readonly count: number;
  /** In milliseconds, counted from the moment at which no request and no stream is open. */
  readonly idle: number;
  /** The same for a session whose client has sent nothing after `initialize`. */
  readonly idleAtFirst: number;
}

/** What a {@link LegacySession} is besides its server. */
export interface LegacySessionOptions {
  readonly id: string;
  readonly logger: Logger;
  readonly after: After;
  readonly limits: SessionLimits;
  /** Called whenever the last of its requests and streams has ended. */
  readonly onIdle: () => void;
  /** Called once, when the session has ended, whoever ended it. */
  readonly onClose: () => void;
}

/** One session of one legacy client, with a server of its own. */
export class LegacySession {
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
