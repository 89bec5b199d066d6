import type {
  JSONRPCMessage,
  JSONRPCRequest,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { Limiter } from '../../../base/limiter.ts';
import { within } from '../../../base/timeLimit.ts';
import type { Failure } from '../../../domain/servers/serverFailure.ts';
import { errorIn } from '../failure.ts';
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
import { type SdkTransport, sdkTransport, sessionEnded } from './sdkTransport.ts';

/** Time limits for a server to say where messages go, and to end its session. */
type HttpTimes = Pick<ConnectionTimes, 'probe' | 'stop'>;

const left: Failure = { kind: 'lost', message: { template: 'The session has ended.', values: [] } };
const methodNotFound = -32601;
const invalidParams = -32602;
const proofId = 'mcp-roots-session';
const streamEnded = { code: -32000, message: 'The stream ended before the answer came.' };

/**
 * MCP over HTTP in all its revisions, by the SDK's transports: Streamable HTTP, or the older HTTP with SSE.
 * The older one is used if the definition says so, or if the server refuses the newer handshake. Adds a
 * view of the traffic, sends answers one by one, and notices when the server is lost.
 */
export class HttpTransport implements Wire {
  readonly kind = 'http';
  /** Makes the SDK cancel a request by ending its HTTP request. */
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
  /** Why the server was lost; `undefined`: it was not lost. */
  private loss: Failure | undefined;
  private isOver = false;
  /** Whether the server has answered yet. Only then can it be lost. */
  private isReached = false;
  private closed: Promise<void> | undefined;
  /** The method that tests our session: a list that worked, else `ping`, which some refuse. */
  private proof = 'ping';
  /** The list that was requested last. */
  private listing: Pick<JSONRPCRequest, 'id' | 'method'> | undefined;
  private proving: Promise<unknown> | undefined;
  private takeProof: (refusal: unknown) => void = () => {};

  readonly onDidPass: Event<Traffic> = this.flow.onDidPass;
  readonly onDidAskPerson: Event<boolean> = this.didAskPerson.event;

  /**
   * @param secrets learns the tokens of a sign-in. No failure repeats a secret.
   * @throws when the address or a header is not valid.
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
    // After `start`, only the older transport has reached the server.
    this.isReached ||= this.address.transport === 'sse';
  }

  /** Resolves when the server has taken the message. May drop our answers: see `answerLimits`. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return 'method' in message ? this.sendNow(message, options) : this.sendAnswer(message);
  }

  setProtocolVersion(version: string): void {
    this.http.setProtocolVersion?.(version);
  }

  /** Ends the session at the server, if it can in time, then ends every request. Never rejects. */
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
    const { id, method } = message;
    if (method.endsWith('/list')) {
      this.listing = message;
    }
    // The SDK does not notice the end of the stream, and would wait for as long as a call may take.
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
      await this.checkSession(error);
      throw error;
    }
  }

  /** Sends the refused handshake by the older transport, which stays in use for this server. */
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

  /** A transport to the server. Its events count only while it is the latest transport. */
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
    if ('result' in message && message.id === this.listing?.id) {
      this.proof = this.listing.method;
    }
    if (!('method' in message) && message.id === proofId) {
      this.takeProof(Object(message).error);
    } else if ('error' in message) {
      void this.checkSession(message.error).then(() => this.flow.receive(message));
    } else {
      this.flow.receive(message);
    }
  }

  private async missAnswer(id: JSONRPCRequest['id']): Promise<void> {
    if (this.flow.forget(id) && !this.isOver) {
      await this.checkSession(streamEnded);
      this.flow.deliver({ jsonrpc: '2.0', id, error: streamEnded });
    }
  }

  /**
   * Tests after a refusal whether the server knows our session. If not, the server counts as lost.
   * After a session has ended, many servers refuse even what they answered before, with any error.
   */
  private async checkSession(refusal: unknown): Promise<void> {
    const isOpen = this.http.sessionId !== undefined && !this.isOver;
    if (!isOpen || !this.mayEndSession(refusal)) {
      return;
    }
    this.proving ??= new Promise(resolve => {
      this.takeProof = resolve;
      const onRequestStreamEnd = () => resolve(streamEnded);
      const asked = { jsonrpc: '2.0', id: proofId, method: this.proof } as const;
      this.http.send(asked, { onRequestStreamEnd }).catch(resolve);
    });
    const refused = await within(this.proving, this.times.probe, undefined);
    this.proving = undefined;
    if (refused !== undefined && this.mayEndSession(refused)) {
      this.lose({ kind: 'lost', message: sessionEnded });
    }
  }

  /** Whether a refusal may mean a lost session. An unknown method, for example, does not. */
  private mayEndSession(refusal: unknown): boolean {
    const { code } = errorIn(refusal) ?? Object(refusal);
    return (
      code !== methodNotFound &&
      code !== invalidParams &&
      httpFailure(refusal, this.secrets).kind === 'protocol'
    );
  }

  private notice(error: Error): void {
    if (this.isReached && isSignInNeeded(error)) {
      this.lose(httpFailure(error, this.secrets));
    } else if (isNoMessage(error)) {
      // The SDK does not report the length of the text.
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
      // If the server does not end the session, we still forget it.
      const end = this.http.terminateSession?.().catch(() => {});
      await within(Promise.resolve(end), this.times.stop.end, undefined);
    }
    this.end(left);
  }

  /** Sends our answer to a request of the server, or drops the answer. Never rejects. */
  private async sendAnswer(message: JSONRPCMessage): Promise<void> {
    try {
      await this.answers.run(() => this.sendNow(message));
    } catch {
      // Nobody waits for the answer, so nobody needs the failure.
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
 * Our answers are sent one at a time, so that a server that asks a lot can't open as many
 * connections. If a server takes no answers, further answers are dropped.
 */
const answerLimits = { running: 1, waiting: 1000 };
