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

/** A request of the server that the client has not answered, and where it was asked. */
interface Question {
  readonly message: JSONRPCRequest;
  readonly stream: OpenStream;
}

/**
 * The connection of one session. The SDK's transport below loses a request of the server in silence
 * when the client has no stream open by GET, and clients open it late or never.
 *
 * Here such a request goes to any open stream, once more to another when that one breaks, and fails
 * at once where there is none. `initialized`, which makes servers ask, waits for the first stream.
 */
export class SessionTransport implements Transport {
  private readonly sdk: WebStandardStreamableHTTPServerTransport;
  private readonly streams = new OpenStreams();
  private readonly questions = new Map<RequestId | undefined, Question>();
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
      this.opened({ relatedRequestId: undefined, over: request.signal });
    }
    return response;
  }

  /** @throws when a request has no stream to go on. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isRequest(message)) {
      return this.ask(message, options);
    }
    if ('id' in message && message.id !== undefined) {
      this.streams.finish(message.id);
    }
    this.questions.delete(cancelledBy(message));
    return this.sdk.send(message, options);
  }

  private async ask(message: JSONRPCRequest, options: TransportSendOptions = {}): Promise<void> {
    const stream = this.streams.choose(options.relatedRequestId);
    if (!stream) {
      throw new Error('The client has no stream open on which it could be asked.');
    }
    this.questions.set(message.id, { message, stream });
    const { relatedRequestId } = stream;
    await this.sdk.send(message, { ...options, relatedRequestId });
  }

  private receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const pass = () => this.onmessage?.(message, extra);
    if (isRequest(message)) {
      if (extra?.request) {
        this.opened({ relatedRequestId: message.id, over: extra.request.signal });
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
    if (message.method === 'notifications/initialized' && this.streams.isEmpty) {
      this.initialized = pass;
      return;
    }
    pass();
    const id = cancelledBy(message);
    if (id !== undefined && this.streams.isOpenAlone(id)) {
      // The SDK answers a cancelled request never, and would keep its stream open for ever.
      this.streams.finish(id);
      this.sdk.closeSSEStream(id);
    }
  }

  private opened(stream: OpenStream): void {
    this.streams.add(stream, () => this.askAgain(stream));
    this.initialized?.();
    this.initialized = undefined;
  }

  private askAgain(broken: OpenStream): void {
    for (const { message, stream } of [...this.questions.values()]) {
      if (stream === broken) {
        this.ask(message).catch((error: Error) => this.fail(message.id, error.message));
      }
    }
  }

  private fail(id: RequestId, message: string): void {
    this.questions.delete(id);
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** The request that a message takes back; `undefined` for every other message. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  const isCancelling = 'method' in message && message.method === 'notifications/cancelled';
  const id = isCancelling ? message.params?.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** A way to the client: the answer to one of its requests, or the stream that it opened by GET. */
interface OpenStream {
  /** The request; `undefined` for the stream opened by GET. */
  readonly relatedRequestId: RequestId | undefined;
  /** Aborted when the HTTP exchange that carries the stream is over. */
  readonly over: AbortSignal;
}

/** The streams of one session on which its client can be asked something. */
class OpenStreams {
  private readonly streams = new Map<RequestId | undefined, OpenStream>();

  get isEmpty(): boolean {
    return this.streams.size === 0;
  }

  /** Takes a stream in; `onBroken` is called when it ends before it is finished. */
  add(stream: OpenStream, onBroken: () => void): void {
    const { relatedRequestId, over } = stream;
    this.streams.set(relatedRequestId, stream);
    whenAborted(over, () => {
      if (this.streams.get(relatedRequestId) === stream) {
        this.streams.delete(relatedRequestId);
        onBroken();
      }
    });
  }

  /** Says that nothing more comes on the stream of that request. */
  finish(id: RequestId): void {
    this.streams.delete(id);
  }

  /** Whether the stream of that request is open, and carries nothing for others of one batch. */
  isOpenAlone(id: RequestId): boolean {
    const over = this.streams.get(id)?.over;
    return [...this.streams.values()].filter(stream => stream.over === over).length === 1;
  }

  /**
   * The stream to ask on: that of the given request, or the newest of another one, because its
   * client surely listens there, or else the one opened by GET. `undefined`: none is open.
   */
  choose(preferred?: RequestId): OpenStream | undefined {
    const ofRequests = [...this.streams.values()].filter(
      ({ relatedRequestId }) => relatedRequestId !== undefined,
    );
    return (
      ofRequests.find(({ relatedRequestId }) => relatedRequestId === preferred) ??
      ofRequests.at(-1) ??
      this.streams.get(undefined)
    );
  }
}
