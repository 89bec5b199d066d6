import { randomUUID } from 'node:crypto';
import {
  INTERNAL_ERROR,
  isInitializeRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type McpServer,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { whenAborted } from '../../base/abortSignals.ts';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { type Exchange, refuse } from './exchange.ts';

/** The most sessions at a time. */
export const mostSessions = 100;

/** In milliseconds, counted from the moment at which no request and no stream of a session is open. */
const longestIdle = 30 * 60_000;

/** Options for serving sessions. */
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
  /** By their ids. */
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
      return refuse(503, tooMany, { 'Retry-After': '60' });
    }
    const { logger, after } = this.options;
    const id = randomUUID();
    const session = new LegacySession(id, after);
    session.onclose = () => this.sessions.delete(id);
    this.sessions.set(id, session);
    const server = this.newServer();
    server.server.onerror = error => logger.warn(error.message);
    await server.connect(session);
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
  'There is no such session. It has ended, or it was idle for too long. Begin a new one with ' +
  'initialize, without a session id.';

const tooMany =
  `This server serves ${mostSessions} sessions, which is its limit. ` +
  'End one, or try again later: idle ones end after half an hour.';

/** The request whose answer carries a stream; `undefined` for the stream that is opened by GET. */
type StreamKey = RequestId | undefined;

/**
 * One session of one legacy client, and the connection of its server.
 *
 * The SDK's transport below loses a request of the server in silence when the client has no stream
 * open by GET, and clients open it late or never. Here it goes to any open stream, and fails at once
 * where there is none, or when that breaks. `initialized`, which makes servers ask, waits for the
 * first stream.
 */
class LegacySession implements Transport {
  private readonly sdk: WebStandardStreamableHTTPServerTransport;
  private readonly after: After;
  private exchanges = 0;
  private isClosed = false;
  private expiry: IDisposable | undefined;
  /** The open streams, the newest last, each with the signal that its HTTP exchange is over. */
  private readonly streams = new Map<StreamKey, AbortSignal>();
  /** The requests of the server that the client has not answered, by where they were asked. */
  private readonly questions = new OpenRequests<StreamKey>();
  private initialized: (() => void) | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(id: string, after: After) {
    this.after = after;
    this.sdk = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    this.sdk.onclose = () => {
      this.isClosed = true;
      this.expiry?.dispose();
      this.onclose?.();
    };
    this.sdk.onerror = error => this.onerror?.(error);
    this.sdk.onmessage = (message, extra) => this.receive(message, extra);
  }

  get sessionId(): string | undefined {
    return this.sdk.sessionId;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.sdk.setSupportedProtocolVersions(versions);
  }

  start(): Promise<void> {
    return this.sdk.start();
  }

  /** Ends its streams, its calls and its server. */
  close(): Promise<void> {
    this.questions.endAll();
    return this.sdk.close();
  }

  /** Answers one HTTP request of the session's client. */
  async serve({ request, body }: Exchange): Promise<Response> {
    this.exchanges += 1;
    this.expiry?.dispose();
    whenAborted(request.signal, () => this.exchangeEnded());
    const response = await this.sdk.handleRequest(request, { parsedBody: body });
    if (request.method === 'GET' && response.ok) {
      this.opened(undefined, request.signal);
    }
    return response;
  }

  private exchangeEnded(): void {
    this.exchanges -= 1;
    if (this.exchanges === 0 && !this.isClosed) {
      this.expiry = this.after(longestIdle, () => void this.close());
    }
  }

  /** @throws when a request has no stream to go on. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isRequest(message)) {
      return this.ask(message, options);
    }
    if ('method' in message) {
      this.questions.settle(cancelledBy(message));
    } else if (message.id !== undefined) {
      this.streams.delete(message.id);
    }
    return this.sdk.send(message, options);
  }

  private async ask(message: JSONRPCRequest, options: TransportSendOptions): Promise<void> {
    if (this.streams.size === 0) {
      throw new Error('The client has no stream open on which it could be asked.');
    }
    const newest = [...this.streams.keys()].at(-1);
    const relatedRequestId = [options.relatedRequestId, undefined, newest].find(key =>
      this.streams.has(key),
    );
    this.questions.open(message.id, relatedRequestId);
    await this.sdk.send(message, { ...options, relatedRequestId });
  }

  private receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const pass = () => this.onmessage?.(message, extra);
    if (isRequest(message)) {
      if (extra?.request) {
        this.opened(message.id, extra.request.signal);
      }
      pass();
    } else if ('method' in message) {
      this.receiveNotification(message, pass);
    } else {
      this.questions.settle(this.questions.idOf(message.id));
      pass();
    }
  }

  private receiveNotification(message: JSONRPCNotification, pass: () => void): void {
    if (message.method === 'notifications/initialized' && this.streams.size === 0) {
      this.initialized = pass;
      return;
    }
    pass();
    const id = cancelledBy(message);
    if (id !== undefined && this.isOpenAlone(id)) {
      // The SDK answers a cancelled request never, and would keep its stream open for ever.
      this.streams.delete(id);
      this.sdk.closeSSEStream(id);
    }
  }

  /** Whether the stream of that request is open, and carries nothing for others of one batch. */
  private isOpenAlone(id: RequestId): boolean {
    const over = this.streams.get(id);
    return [...this.streams.values()].filter(other => other === over).length === 1;
  }

  private opened(key: StreamKey, over: AbortSignal): void {
    this.streams.set(key, over);
    whenAborted(over, () => {
      if (this.streams.get(key) === over) {
        this.streams.delete(key);
        this.failQuestionsOn(key);
      }
    });
    this.initialized?.();
    this.initialized = undefined;
  }

  private failQuestionsOn(key: StreamKey): void {
    const message = 'The stream on which the client was asked is broken.';
    const error = { code: INTERNAL_ERROR, message };
    for (const [id, stream] of this.questions.all) {
      if (stream === key) {
        this.questions.settle(id);
        this.onmessage?.({ jsonrpc: '2.0', id, error });
      }
    }
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** The request that a message takes back; `undefined` for every other message. */
function cancelledBy({ method, params }: JSONRPCNotification): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
