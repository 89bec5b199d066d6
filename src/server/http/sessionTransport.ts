import {
  INTERNAL_ERROR,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { whenAborted } from '../../base/abortSignals.ts';
import type { Exchange } from './exchange.ts';

/** The request whose answer carries a stream; `undefined` for the stream that is opened by GET. */
type StreamKey = RequestId | undefined;

/**
 * The connection of one session. The SDK's transport below loses a request of the server in silence
 * when the client has no stream open by GET, and clients open it late or never.
 *
 * Here such a request goes to any open stream, and fails at once where there is none, or when that
 * breaks. `initialized`, which makes servers ask, waits for the first stream.
 */
export class SessionTransport implements Transport {
  private readonly sdk: WebStandardStreamableHTTPServerTransport;
  /** The open streams, the newest last, each with the signal that its HTTP exchange is over. */
  private readonly streams = new Map<StreamKey, AbortSignal>();
  /** The requests of the server that the client has not answered, by where they were asked. */
  private readonly questions = new Map<RequestId | undefined, StreamKey>();
  private initialized: (() => void) | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(sdk: WebStandardStreamableHTTPServerTransport) {
    this.sdk = sdk;
    sdk.onclose = () => this.onclose?.();
    sdk.onerror = error => this.onerror?.(error);
    sdk.onmessage = (message, extra) => this.receive(message, extra);
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

  close(): Promise<void> {
    this.questions.clear();
    return this.sdk.close();
  }

  /** Answers one HTTP request of the session's client. */
  async serve({ request, body }: Exchange): Promise<Response> {
    const response = await this.sdk.handleRequest(request, { parsedBody: body });
    if (request.method === 'GET' && response.ok) {
      this.opened(undefined, request.signal);
    }
    return response;
  }

  /** @throws when a request has no stream to go on. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isRequest(message)) {
      return this.ask(message, options);
    }
    if ('method' in message) {
      this.questions.delete(cancelledBy(message));
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
    this.questions.set(message.id, relatedRequestId);
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
      this.questions.delete(message.id);
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
    for (const [id, stream] of [...this.questions]) {
      if (id !== undefined && stream === key) {
        this.questions.delete(id);
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
