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
import { type Exchange, refuse, streamType, takes } from './exchange.ts';

/** The most sessions that exist at the same time. */
export const mostSessions = 100;

/**
 * The sessions of legacy clients, each with its own server and roots. At the limit, a new session
 * ends the session that has been idle longest.
 *
 * Any client that knows a session's id can use the session. So the id is random, and only the
 * client that began the session gets it.
 */
export class LegacySessions {
  private readonly newServer: () => McpServer;
  private readonly logger: Logger;
  /** The sessions by their ids. The most recently used session is last. */
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
    const session = this.sessions.get(id);
    if (!session) {
      return refuse(404, unknownSession);
    }
    this.sessions.delete(id);
    this.sessions.set(id, session);
    return session.serve(exchange);
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
    const session = new LegacySession(id, !takes(streamType, exchange.request.headers));
    session.onclose = () => this.sessions.delete(id);
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
  'This request has no session. Send initialize without a session id, and then the header Mcp-Session-Id with each request. Revision 2026-07-28 needs no session.';

const unknownSession =
  'The session no longer exists. This server ends idle sessions in favor of new ones. Send initialize without a session id.';

const tooMany = `This server has reached its limit of ${mostSessions} sessions, and all are in use. End a session, or try again later.`;

/** The id of the request that a stream answers. `undefined`: the stream was opened by GET. */
type StreamKey = RequestId | undefined;

/**
 * One session of one legacy client, and the transport of its server.
 *
 * The SDK's transport silently drops a server's request if the client has no GET stream open.
 * Clients open a GET stream late or never. So this class sends the request on any open stream. The
 * request fails immediately if no stream is open, and later if its stream breaks. A server sends
 * requests after the notice `initialized`, so the notice waits until the first stream is open.
 */
class LegacySession implements Transport {
  readonly sessionId: string;
  private readonly sdk: WebStandardStreamableHTTPServerTransport;
  /** Whether the client takes plain JSON only. Then no question can go out with an answer. */
  private readonly isInJson: boolean;
  private exchanges = 0;
  /** The open streams, newest last. Each has a signal that is aborted when its HTTP exchange is over. */
  private readonly streams = new Map<StreamKey, AbortSignal>();
  /** Unanswered requests of the server, with the stream that carried each. */
  private readonly questions = new OpenRequests<StreamKey>();
  private initialized: (() => void) | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(id: string, isInJson: boolean) {
    this.sessionId = id;
    this.isInJson = isInJson;
    this.sdk = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: isInJson,
    });
    this.sdk.onclose = () => this.onclose?.();
    this.sdk.onerror = error => this.onerror?.(error);
    this.sdk.onmessage = (message, extra) => this.receive(message, extra);
  }

  /** Whether the client has no request and no stream open. */
  get isIdle(): boolean {
    return this.exchanges === 0;
  }

  start(): Promise<void> {
    return this.sdk.start();
  }

  /** Ends the session's streams, calls and server. */
  close(): Promise<void> {
    this.questions.endAll();
    return this.sdk.close();
  }

  /** Answers one HTTP request of the session's client. */
  async serve({ request, body }: Exchange): Promise<Response> {
    this.exchanges += 1;
    whenAborted(request.signal, () => {
      this.exchanges -= 1;
    });
    const response = await this.sdk.handleRequest(request, { parsedBody: body });
    if (request.method === 'GET' && response.ok) {
      this.opened(undefined, request.signal);
    }
    return response;
  }

  /** @throws when the message is a request to the client, and the client has no open stream. */
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
      throw new Error("The client has no open stream for the server's requests.");
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
      if (extra?.request && !this.isInJson) {
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
      // The SDK never answers a canceled request, and would keep its stream open for good.
      this.streams.delete(id);
      this.sdk.closeSSEStream(id);
    }
  }

  /** Whether the request's stream is open, and carries answers for no other request of a batch. */
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
    const message = "The stream with the server's request is broken.";
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

/** The id of the request that a message cancels; `undefined` for any other message. */
function cancelledBy({ method, params }: JSONRPCNotification): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
