import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../base/emitter.ts';
import { within } from '../../base/within.ts';
import type { Failure } from '../failure.ts';
import { AccessTokens } from '../oauth/accessTokens.ts';
import type { Reply, Traffic, Wire } from '../wire.ts';
import { addressOf } from './address.ts';
import { AnswerQueue } from './answerQueue.ts';
import { headersOf, withHeaders } from './headers.ts';
import { httpFailure, isNoMessage, isSignInNeeded } from './httpFailure.ts';
import type { HttpStart } from './httpStart.ts';
import { limitedFetch } from './limitedFetch.ts';
import { mostReopenings, SessionWatch } from './sessionWatch.ts';

const reopening = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 8000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: mostReopenings,
};
/** How it ends when it is asked to. */
const left: Failure = { kind: 'lost', message: 'It was left.' };
const streamEnded = { code: -32000, message: 'The stream of the answer ended without the answer.' };

/**
 * MCP over Streamable HTTP, in all its revisions, by the transport of the SDK. Around it: what goes
 * over the wire, limits, the sign-in of a person, and the notice of a server that is there no more.
 */
export class HttpTransport implements Wire {
  readonly kind = 'http';
  /** The sign by which the SDK calls a request off by ending it. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  takeRequest?: (request: JSONRPCRequest, reply: Reply) => boolean;
  readonly ended: Promise<Failure>;
  private readonly http: StreamableHTTPClientTransport;
  private readonly tokens: AccessTokens | undefined;
  private readonly longestEnd: number;
  private readonly closing = new AbortController();
  private readonly didPass = new Emitter<Traffic>();
  private readonly didAskPerson = new Emitter<boolean>();
  private readonly didEnd = new Emitter<Failure>();
  private readonly answers = new AnswerQueue(message => this.send(message));
  /** The requests of ours that are not answered. */
  private readonly unanswered = new Set<JSONRPCRequest['id']>();
  /** Why it ended by itself. */
  private loss: Failure | undefined;
  private isOver = false;
  /** Whether the server has answered at all. From then on it can be lost. */
  private isReached = false;
  private closed: Promise<void> | undefined;

  readonly onDidPass: Event<Traffic> = this.didPass.event;
  readonly onDidAskPerson: Event<boolean> = this.didAskPerson.event;

  /**
   * @param longestEnd how many milliseconds the server may take to end its session.
   * @throws when no server has such an address, or no request such headers.
   */
  constructor(start: HttpStart, longestEnd: number) {
    const url = addressOf(start.url);
    const rubbish = (length: number) => this.didPass.fire({ kind: 'rubbish', length });
    const watch = new SessionWatch(message => this.lose({ kind: 'lost', message }));
    const fetch = withHeaders(limitedFetch(rubbish), url.origin, headersOf(start.headers));
    this.ended = new Promise(resolve => this.didEnd.event(resolve));
    this.longestEnd = longestEnd;
    this.tokens = this.tokensFor(start);
    this.http = new StreamableHTTPClientTransport(url, {
      fetch: watch.watching(this.tokens?.watching(fetch) ?? fetch),
      ...(this.tokens && { authProvider: this.tokens }),
      reconnectionOptions: reopening,
    });
  }

  async start(): Promise<void> {
    this.http.onmessage = message => this.receive(message);
    this.http.onerror = error => this.notice(error);
    this.http.onclose = () => this.onclose?.();
    await this.http.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
    if (!('method' in message && 'id' in message)) {
      return this.http.send(message, options);
    }
    const { id } = message;
    this.unanswered.add(id);
    // The SDK does not notice it, and would wait for as long as a call may take.
    const onRequestStreamEnd = () => this.missAnswer(id);
    try {
      await this.http.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.unanswered.delete(id);
      throw error;
    }
  }

  setProtocolVersion(version: string): void {
    this.http.setProtocolVersion(version);
  }

  /** Ends the session at the server, which may fail or take too long, and then every request. */
  close(): Promise<void> {
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  async explain(error: unknown): Promise<Failure> {
    return this.loss ?? httpFailure(error);
  }

  kill(): void {
    this.end(left);
  }

  private tokensFor({ authorization, headers, isInteractive }: HttpStart) {
    // Who names a key of his own has chosen how to sign in.
    const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
    if (!authorization || hasKey) {
      return undefined;
    }
    const tokens: AccessTokens = new AccessTokens({
      authorization,
      fetch: limitedFetch(),
      mayAsk: () => isInteractive === true && !(this.isReached && tokens.isSignedIn),
      onAsk: isAsking => this.didAskPerson.fire(isAsking),
      signal: this.closing.signal,
    });
    return tokens;
  }

  private receive(message: JSONRPCMessage): void {
    this.isReached = true;
    this.didPass.fire({ kind: 'message', direction: 'from-server', message });
    if (!('method' in message) && message.id !== undefined) {
      this.unanswered.delete(message.id);
    }
    const isRequest = 'method' in message && 'id' in message;
    if (!isRequest || !this.takeRequest?.(message, this.answers.replyTo(message))) {
      this.onmessage?.(message);
    }
  }

  private missAnswer(id: JSONRPCRequest['id']): void {
    if (this.unanswered.delete(id) && !this.isOver) {
      this.onmessage?.({ jsonrpc: '2.0', id, error: streamEnded });
    }
  }

  private notice(error: Error): void {
    if (this.isReached && isSignInNeeded(error)) {
      this.lose(httpFailure(error));
    } else if (isNoMessage(error)) {
      // How long it was the SDK does not tell.
      this.didPass.fire({ kind: 'rubbish', length: 0 });
    }
    this.onerror?.(error);
  }

  private lose(failure: Failure): void {
    if (this.isReached && !this.isOver) {
      this.loss = failure;
      this.end(failure);
    }
  }

  private async closeOnce(): Promise<void> {
    this.closing.abort();
    if (!this.isOver) {
      // Its failure changes nothing: the session is as good as over.
      const end = this.http.terminateSession().catch(() => {});
      await within(end, this.longestEnd, undefined);
    }
    this.end(left);
  }

  private end(failure: Failure): void {
    if (!this.isOver) {
      this.isOver = true;
      this.closing.abort();
      void this.http.close();
      this.didEnd.fire(failure);
    }
  }
}
