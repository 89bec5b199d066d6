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
import type { Logger } from '../../base/logger.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { type Exchange, refuse } from './exchange.ts';

/** The most sessions at a time. */
export const mostSessions = 100;

/**
 * The sessions of legacy clients, each with a server, and so with roots, of its own. Where there are too many,
 * the one that is idle longest ends for a new one.
 *
 * To know the id of a session is to be its client. So it is drawn at random, sent to the client
 * that began the session, and told to nobody else.
 */
export class LegacySessions {
  private readonly newServer: () => McpServer;
  private readonly logger: Logger;
  /** By their ids, the one that was used last at the end. */
  private readonly sessions = new Map<string, LegacySession>();

  constructor(newServer: () => McpServer, logger: Logger) {
    this.newServer = newServer;
    this.logger = logger;
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
      const idle = [...this.sessions.values()].find(({ isIdle }) => isIdle);
      if (!idle) {
        return refuse(503, tooMany, { 'Retry-After': '60' });
      }
      await idle.close();
    }
    const id = randomUUID();
    const session = new LegacySession(id);
    session.onclose = () => this.sessions.delete(id);
    session.onidle = () => {
      if (this.sessions.delete(id)) {
        this.sessions.set(id, session);
      }
    };
    this.sessions.set(id, session);
    const server = this.newServer();
    server.server.onerror = error => this.logger.warn(error.message);
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
  'There is no such session. It has ended, or newer ones took the place of an idle one. Begin a new ' +
  'one with initialize, without a session id.';

const tooMany =
  `This server serves ${mostSessions} sessions, which is its limit, and all are in use. ` +
  'End one, or try again later.';

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
  private exchanges = 0;
  /** The open streams, the newest last, each with the signal that its HTTP exchange is over. */
  private readonly streams = new Map<StreamKey, AbortSignal>();
  /** The requests of the server that the client has not answered, by where they were asked. */
  private readonly questions = new OpenRequests<StreamKey>();
  private initialized: (() => void) | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Called each time when its last open request or stream has ended. */
  onidle?: () => void;

  constructor(id: string) {
    this.sdk = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    this.sdk.onclose = () => this.onclose?.();
    this.sdk.onerror = error => this.onerror?.(error);
    this.sdk.onmessage = (message, extra) => this.receive(message, extra);
  }

  /** Whether no request and no stream of its client is open. */
  get isIdle(): boolean {
    return this.exchanges === 0;
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
    whenAborted(request.signal, () => this.exchangeEnded());
    const response = await this.sdk.handleRequest(request, { parsedBody: body });
    if (request.method === 'GET' && response.ok) {
      this.opened(undefined, request.signal);
    }
    return response;
  }

  private exchangeEnded(): void {
    this.exchanges -= 1;
    if (this.isIdle) {
      this.onidle?.();
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
