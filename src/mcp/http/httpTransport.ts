import type {
  JSONRPCMessage,
  JSONRPCRequest,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../base/emitter.ts';
import { Limiter } from '../../base/limiter.ts';
import { within } from '../../base/timeLimit.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { MessageFlow } from '../messageFlow.ts';
import type { ConnectionTimes } from '../times.ts';
import type { TakeMessage, Traffic, Wire } from '../wire.ts';
import {
  httpFailure,
  isNoMessage,
  isRefusal,
  isSignInNeeded,
  RefusedTwice,
} from './httpFailure.ts';
import type { HttpStart } from './httpStart.ts';
import { type SdkTransport, sdkTransport } from './sdkTransport.ts';

/** Time limits for a server to say where messages go, and to end its session. */
type HttpTimes = Pick<ConnectionTimes, 'probe' | 'stop'>;

const left: Failure = {
  kind: 'lost',
  message: { template: 'It was left.', values: [] },
};
const streamEnded = { code: -32000, message: 'The stream of the answer ended without the answer.' };

/**
 * MCP over HTTP, in all its revisions, by the transports of the SDK: Streamable HTTP, and the older
 * one with SSE for a server that is said to speak it, or refuses the handshake by the other. Around
 * them: what goes over the wire, answers one by one, and the end of a server that is there no more.
 */
export class HttpTransport implements Wire {
  readonly kind = 'http';
  /** The sign by which the SDK calls a request off by ending it. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  take?: TakeMessage;
  readonly ended: Promise<Failure>;
  private readonly address: HttpStart;
  private http: SdkTransport;
  private readonly secrets: KnownSecrets;
  private readonly times: HttpTimes;
  private readonly closing = new AbortController();
  private readonly didAskPerson = new Emitter<boolean>();
  private readonly didEnd = new Emitter<Failure>();
  private readonly answers = new Limiter(answerLimits);
  private readonly flow = new MessageFlow(this, response => void this.sendAnswer(response));
  /** Why it ended by itself. */
  private loss: Failure | undefined;
  private isOver = false;
  /** Whether the server has answered at all. From then on it can be lost. */
  private isReached = false;
  private closed: Promise<void> | undefined;

  readonly onDidPass: Event<Traffic> = this.flow.onDidPass;
  readonly onDidAskPerson: Event<boolean> = this.didAskPerson.event;

  /**
   * @param secrets learns the tokens of a sign-in; no failure repeats any of them.
   * @throws when no server has such an address, or no request such headers.
   */
  constructor(start: HttpStart, secrets: KnownSecrets, times: HttpTimes) {
    this.ended = new Promise(resolve => this.didEnd.event(resolve));
    this.secrets = secrets;
    this.times = times;
    this.address = start;
    this.http = this.transportTo(start);
  }

  async start(): Promise<void> {
    await this.http.start();
    // Only the older transport has reached the server by then.
    this.isReached ||= this.address.transport === 'sse';
  }

  /** Resolves when the server has taken the message; an answer may also have been dropped. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return 'method' in message ? this.sendNow(message, options) : this.sendAnswer(message);
  }

  setProtocolVersion(version: string): void {
    this.http.setProtocolVersion?.(version);
  }

  /** Ends the session at the server, which may fail or take too long, and then every request. */
  close(): Promise<void> {
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  async explain(error: unknown): Promise<Failure> {
    return this.loss ?? httpFailure(error, this.secrets);
  }

  kill(): void {
    this.end(left);
  }

  private async sendNow(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.flow.send(message);
    if (!('method' in message && 'id' in message)) {
      return this.http.send(message, options);
    }
    const { id } = message;
    // The SDK does not notice this end, and would wait for as long as a call may take.
    const onRequestStreamEnd = () => this.missAnswer(id);
    try {
      await this.http.send(message, { ...options, onRequestStreamEnd }).catch(error => {
        const isOlder = message.method === 'initialize' && !this.address.transport;
        return isOlder && isRefusal(error)
          ? this.sendByOlder(message, error)
          : Promise.reject(error);
      });
    } catch (error) {
      this.flow.forget(id);
      throw error;
    }
  }

  /** Sends the refused handshake by the older transport, which from then on is used for this server. */
  private async sendByOlder(message: JSONRPCMessage, refusal: unknown): Promise<void> {
    const newer = this.http;
    const older = this.transportTo({ ...this.address, transport: 'sse' });
    this.http = older;
    try {
      await older.start();
    } catch (error) {
      this.http = newer;
      await older.close();
      throw httpFailure(error, this.secrets).kind === 'unauthorized'
        ? error
        : new RefusedTwice(refusal);
    }
    this.isReached = true;
    await newer.close();
    await older.send(message);
  }

  /** A transport to the server. Its events count only while it is the latest one. */
  private transportTo(start: HttpStart): SdkTransport {
    const http = sdkTransport(start, {
      secrets: this.secrets,
      isReached: () => this.isReached,
      onUnread: message => this.flow.receiveUnread(message),
      onAskPerson: isAsking => this.didAskPerson.fire(isAsking),
      onLost: message => http === this.http && this.lose({ kind: 'lost', message }),
      signal: this.closing.signal,
      longestOpening: this.times.probe,
    });
    http.onmessage = message => this.receive(message);
    http.onerror = error => http === this.http && this.notice(error);
    http.onclose = () => http === this.http && this.onclose?.();
    return http;
  }

  private receive(message: JSONRPCMessage): void {
    this.isReached = true;
    this.flow.receive(message);
  }

  private missAnswer(id: JSONRPCRequest['id']): void {
    if (this.flow.forget(id) && !this.isOver) {
      this.flow.deliver({ jsonrpc: '2.0', id, error: streamEnded });
    }
  }

  private notice(error: Error): void {
    if (this.isReached && isSignInNeeded(error)) {
      this.lose(httpFailure(error, this.secrets));
    } else if (isNoMessage(error)) {
      // The SDK does not tell its length.
      this.flow.receiveRubbish(0);
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
      const end = this.http.terminateSession?.().catch(() => {});
      await within(Promise.resolve(end), this.times.stop.end, undefined);
    }
    this.end(left);
  }

  /** Resolves when the answer is sent, or dropped. Never rejects. */
  private async sendAnswer(message: JSONRPCMessage): Promise<void> {
    try {
      await this.answers.run(() => this.sendNow(message));
    } catch {
      // Nobody waits for it here, and a listener on the wire has seen it fail.
    }
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

/**
 * Answers are sent one after the other, so that a server that asks a lot is not asked for as many
 * connections. Where it takes none, it does not listen: only so many wait, and more are dropped.
 */
const answerLimits = { running: 1, waiting: 1000 };
