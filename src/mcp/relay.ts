import { randomUUID } from 'node:crypto';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import { type After, afterReal } from '../base/clock.ts';
import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { LatestWork } from '../base/latestWork.ts';
import { longestMessage, withLineEnd } from '../base/lineReader.ts';
import { idIsTaken, OpenRequests } from '../base/openRequests.ts';
import type { Era } from '../domain/exposure.ts';
import type { LeftOut, VisibleRoot } from '../domain/gateway/commonRoots.ts';
import type { JsonObject } from '../domain/json.ts';
import { inEnglish } from '../domain/sentence.ts';
import { losesLast } from '../domain/servers/rootsChange.ts';
import { failureSentence } from '../domain/servers/serverFailure.ts';
import { causesOf, jsonRpcError } from './failure.ts';
import { InputRounds } from './inputRounds.ts';
import { busy, isKept, mostRelayed } from './relayedRequests.ts';
import {
  clientIn,
  declaresRoots,
  type HandshakeState,
  isFree,
  isModernRequest,
  namedAs,
  offering,
  outOfTurn,
  type RelayedClient,
  said,
  usesRoots,
  withoutCommonRevision,
} from './relayRules.ts';
import {
  noRoots,
  type RootsAnswer,
  RootsAnswerer,
  rootsNotice,
  rootsRequest,
} from './rootsAnswerer.ts';
import { type FolderLooks, RootsOfClient } from './rootsOfClient.ts';
import { SettleWait } from './settleWait.ts';
import { defaultTimes } from './times.ts';
import type { Wire } from './wire.ts';

/** Between whom messages are relayed, and who decides what is about roots. */
export interface RelayHost {
  /** The name and title of the server towards the client. */
  readonly label: string;
  /** Whether the client is the window's own: it sees what the window does, whatever it says of roots. */
  readonly isOfWindow: (client: RelayedClient) => boolean;
  /** Writes one message to the client: a line with its end. */
  readonly write: (line: string | Buffer) => void;
  /**
   * Looks at what the server may see before that is said, and may set it ({@link Relay.setRoots}).
   * `undefined`: there is nothing to wait for.
   */
  readonly lookAgain: () => Promise<void> | undefined;
  /**
   * Asks whether the client may use the server now, a person if need be.
   *
   * @param signal is aborted when nobody waits for it any more.
   * @returns why not, in finished sentences; `undefined`, now or later: it may.
   */
  readonly admit: (signal: AbortSignal) => Promise<string | undefined> | undefined;
  /** Left out: its own. */
  readonly looks?: FolderLooks;
  /** Left out: the real one. */
  readonly after?: After;
}

/** The answer of a server to a handshake or a list. */
export interface ServerWords {
  readonly method: string;
  /** The request's, which may name one page of a list. */
  readonly params: JsonObject;
  readonly result: JsonObject;
}

interface PendingRequest {
  readonly request: JSONRPCRequest;
  /** Aborted when the client cancels it, or one of both is gone. */
  readonly cancelled: AbortController;
  /** Its id at the server; `undefined`: the server has not got it. */
  sentAs: RequestId | undefined;
}

/** The ids of our own requests, to the server and to the client. */
const ours = 'mcp-roots-';
const unavailable = -32000;
/** Limit of the open requests of a flooding client, in bytes. */
const mostOpen = 8 * longestMessage;
/** The memory of a request besides its line, about, in bytes. */
const requestCost = 6 * 1024;

/**
 * Relays the messages of one client and one server as they are, in any revision. Messages about roots are
 * ours: we offer them, answer requests for them and tell of changes. Calls wait until the client is allowed
 * to use the server, and the server has taken its roots in.
 */
export class Relay implements IDisposable {
  private readonly wire: Wire;
  private readonly host: RelayHost;
  private readonly answerer: RootsAnswerer;
  private readonly rounds: InputRounds;
  private readonly settling: SettleWait;
  private readonly open = new OpenRequests<PendingRequest>(mostOpen);
  /** Our own requests to the server. */
  private readonly asked = new OpenRequests<(response: JSONRPCResponse) => void>();
  /**
   * The requests of the server that the client is to answer: its ids, by ours. Those of the next process
   * may be the same, and a client may still answer what was called off.
   */
  private readonly questions = new OpenRequests<RequestId>(mostRelayed);
  private readonly didSay = new Emitter<ServerWords>();
  private readonly didLoseRoots = new Emitter<void>();
  private handshake: HandshakeState = 'open';
  /** The notice of the client that its handshake is over, which may come before the server's answer. */
  private greeting: JSONRPCNotification | undefined;
  private endHandshake: () => void = () => {};
  private _client: RelayedClient = { name: '', version: '' };
  /** The roots that the user lets the server see. */
  private roots: readonly VisibleRoot[];
  /** The roots of a client that has such; `undefined`: it has none, and narrows nothing. */
  private clientRoots: RootsOfClient | undefined;
  /** The last request for them: what comes to an earlier one is out of date. */
  private askedClient: RequestId | undefined;
  private readonly looking = new LatestWork();
  /** Settles when it is known which roots a legacy client has; no call passes before. */
  private naming: Promise<void> | undefined;
  private isDisposed = false;
  private readonly isOffered: boolean;
  /** Resolves when a server over HTTP knows that the handshake is over. */
  private handshaken: Promise<unknown> = Promise.resolve();

  /** An answer to a handshake or a list, as the client sees it. */
  readonly onDidSay: Event<ServerWords> = this.didSay.event;
  readonly onDidServeRoots: Event<RootsAnswer>;
  readonly onDidNeglect: Event<boolean>;
  /** A legacy server that was handed roots may see none any more. Many servers keep the old ones. */
  readonly onDidLoseRoots: Event<void> = this.didLoseRoots.event;

  /** @param roots `undefined`: the server is offered none, whatever the client has. */
  constructor(wire: Wire, roots: readonly VisibleRoot[] | undefined, host: RelayHost) {
    this.wire = wire;
    this.host = host;
    this.isOffered = roots !== undefined;
    this.roots = roots ?? [];
    const client = {
      getProtocolEra: () => this.era,
      notification: async ({ method }: { readonly method: string }) =>
        this.send({ jsonrpc: '2.0', method }, undefined),
    };
    this.answerer = new RootsAnswerer(client, roots, defaultTimes, () => this.lookAgain());
    this.rounds = new InputRounds(
      client,
      this.answerer,
      // The client decides on all other questions; it has declared what it answers.
      method => method !== rootsRequest,
      () => this.clientRoots,
    );
    this.settling = new SettleWait(host.after ?? afterReal, () => this.ask('ping', {}));
    this.onDidServeRoots = this.answerer.onDidAnswer;
    this.onDidNeglect = this.answerer.onDidNeglect;
    this.answerer.onDidAnswer(({ era }) => era === 'legacy' && this.settling.answered());
    wire.take = (message, _, line) => {
      this.takeFromServer(message, line);
      return true;
    };
  }

  /** The client, as it named itself first. */
  get client(): RelayedClient {
    return this._client;
  }

  /** The roots of the client that the server is not told of, and why. */
  get leftOutRoots(): readonly LeftOut[] {
    return this.clientRoots?.leftOut ?? [];
  }

  /** The requests that the server has and has not answered. */
  get passedOn(): readonly RequestId[] {
    return this.open.all.filter(([, { sentAs }]) => sentAs !== undefined).map(([id]) => id);
  }

  /** Sets what the server may see from now on; it is told of the change. */
  setRoots(roots: readonly VisibleRoot[]): void {
    this.roots = roots;
    this.tellRoots();
    this.holdFor(this.look());
  }

  /** Takes a message of the client. @param line in which it came, without its end. */
  takeFromClient(message: JSONRPCMessage, line: Buffer): void {
    if (!('method' in message)) {
      this.takeAnswer(message);
    } else if ('id' in message) {
      this.takeRequest(message, line);
    } else {
      this.takeNotice(message, line);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.wire.take = () => true;
    for (const [, { cancelled }] of this.open.endAll()) {
      cancelled.abort();
    }
    this.answerer.dispose();
    this.settling.dispose();
    this.didSay.dispose();
    this.didLoseRoots.dispose();
  }

  /** `undefined` until the server has answered the handshake. */
  get era(): Era | undefined {
    const { handshake } = this;
    return handshake === 'legacy' || handshake === 'modern' ? handshake : undefined;
  }

  private tellRoots(): void {
    const { clientRoots, roots, answerer } = this;
    if (this.isDisposed) {
      return;
    }
    const visible = clientRoots ? clientRoots.among(roots) : roots;
    // The server hears of real changes only, so that it does not ask in vain.
    if (answerer.setRoots(visible)) {
      this.settling.renew();
      // One of the newest revision asks anew in each call.
      if (this.era === 'legacy' && losesLast(answerer.lastHanded, visible)) {
        this.didLoseRoots.fire();
      }
    }
  }

  /** Resolves the client's roots on disk, and tells the server if that has changed. */
  private async look(): Promise<void> {
    const { clientRoots } = this;
    if (clientRoots) {
      await this.looking.begin(clientRoots.look(this.roots).then(() => this.tellRoots()));
    }
  }

  /** Before the client has said which roots it has, none is known that both have. */
  private lookAgain(): Promise<void> | undefined {
    const looking = this.host.lookAgain();
    const { clientRoots } = this;
    return clientRoots
      ? Promise.all([looking, clientRoots.known]).then(() => this.look())
      : looking;
  }

  private meet(request: JSONRPCRequest): void {
    this._client = this._client.name ? this._client : clientIn(request);
    const had = this.clientRoots;
    const has = this.isOffered && declaresRoots(request) && !this.host.isOfWindow(this._client);
    this.clientRoots = has ? (had ?? this.newClientRoots()) : undefined;
    if (had && !has) {
      this.tellRoots();
    }
  }

  private newClientRoots(): RootsOfClient {
    return new RootsOfClient(this.host.looks, () => void this.look());
  }

  private askClient(): void {
    const id = this.newId();
    this.askedClient = id;
    this.write({ jsonrpc: '2.0', id, method: rootsRequest }, undefined);
  }

  /** An answer that no question waits for goes no further: it may be to one of an earlier process. */
  private takeAnswer(response: JSONRPCResponse): void {
    const { clientRoots, askedClient } = this;
    if (clientRoots && askedClient !== undefined && response.id === askedClient) {
      this.askedClient = undefined;
      clientRoots.take('result' in response ? response.result : undefined);
      this.holdFor(this.look());
      return;
    }
    const id = this.questions.settle(response.id);
    if (id !== undefined) {
      // No answer but ours holds roots, however a server got the client to give one.
      const isRoots = 'result' in response && this.answerer.isRootsAnswer(response.result);
      if (isRoots) {
        this.reply(id, { error: noRoots });
      } else {
        this.send({ ...response, id }, undefined);
      }
    }
  }

  private takeRequest(request: JSONRPCRequest, line: Buffer): void {
    const { id, method } = request;
    const isModern = isModernRequest(request);
    // A call before the server has answered the handshake waits for its end.
    const isHasty = this.handshake === 'asked' && !isModern && usesRoots.has(method);
    const problem = isHasty ? undefined : outOfTurn(request, this.handshake, this._client);
    if (problem) {
      this.answer(id, { error: { code: invalidRequest, message: problem } });
      return;
    }
    const open = { request, cancelled: new AbortController(), sentAs: undefined };
    if (!this.open.open(id, open, line.length + requestCost)) {
      this.answer(id, this.open.get(id) ? { error: idIsTaken } : busy);
      return;
    }
    if (isModern) {
      this.meet(request);
      const offer = offering(request, this.isOffered);
      const repeat = () => void this.repeat(open, offer);
      this.admit(open, line, usesRoots.has(method) ? repeat : () => this.passOnce(open, offer));
    } else if (method === 'initialize') {
      this.handshake = 'asked';
      this.holdFor(
        new Promise(resolve => {
          this.endHandshake = resolve;
        }),
      );
      this.meet(request);
      this.pass(open, offering(request, this.isOffered));
    } else {
      this.admit(open, line, kept => this.passOnce(open, request, kept));
    }
  }

  private takeNotice(notice: JSONRPCNotification, line: Buffer): void {
    const { method } = notice;
    if (method === rootsNotice) {
      // The server hears of it when it changes what both have.
      if (this.clientRoots) {
        this.askClient();
      }
      return;
    }
    if (method === 'notifications/cancelled') {
      this.cancel(notice, line);
    } else if (method === 'notifications/initialized') {
      const { handshake } = this;
      if (!this.greeting && (handshake === 'asked' || handshake === 'answered')) {
        this.greeting = notice;
        this.finishHandshake();
      }
    } else {
      this.send(notice, line);
    }
  }

  /** The handshake of a legacy server is over when it has answered, and the client has said so. */
  private finishHandshake(): void {
    const { clientRoots, endHandshake, greeting } = this;
    if (this.handshake !== 'answered' || !greeting) {
      return;
    }
    // Not sooner: some servers do not know yet then what the client can do.
    this.send(greeting, undefined);
    this.handshake = 'legacy';
    if (clientRoots) {
      this.askClient();
      const named = clientRoots.named().then(() => this.look());
      this.holdFor(named.then(() => this.settling.begin()));
    } else {
      this.settling.begin();
    }
    endHandshake();
  }

  /** Holds calls until the promise settles: they would meet a server without its roots. */
  private holdFor(known: Promise<void>): void {
    const naming = Promise.all([this.naming, known]).then(() => {
      if (this.naming === naming) {
        this.naming = undefined;
      }
    });
    this.naming = naming;
  }

  /** Drops a request. The server hears of it only if it has the request. */
  private cancel(notice: JSONRPCNotification, line: Buffer): void {
    const { params = {} } = notice;
    const { requestId } = params;
    const open = this.open.settle(this.open.idOf(requestId));
    if (!open) {
      this.send(notice, line);
      return;
    }
    const { sentAs, cancelled } = open;
    cancelled.abort();
    if (sentAs === undefined) {
      return;
    }
    this.asked.settle(sentAs);
    if (this.streamOf(open)) {
      return; // Its end has told the server.
    }
    if (sentAs === requestId) {
      this.send(notice, line);
    } else {
      this.send({ ...notice, params: { ...params, requestId: sentAs } }, undefined);
    }
  }

  /** Passes a request on, at once if it can, with a line that is its own. */
  private admit(open: PendingRequest, line: Buffer, pass: (line: Buffer) => void): void {
    const { request, cancelled } = open;
    const admission = isFree(request) ? undefined : this.host.admit(cancelled.signal);
    const isHeld =
      usesRoots.has(request.method) && (this.naming !== undefined || !this.settling.isOver);
    if (admission || isHeld) {
      const kept = Buffer.from(line);
      void this.passLater(open, admission, () => pass(kept));
    } else {
      pass(line);
    }
  }

  /** Passes a request on when the client is admitted and the server had time to take in its roots. */
  private async passLater(
    open: PendingRequest,
    admission: Promise<string | undefined> | undefined,
    pass: () => void,
  ): Promise<void> {
    const { request, cancelled } = open;
    try {
      const refusal = await admission;
      if (refusal !== undefined) {
        // Not a result that is an error: that would be none of a call as a task.
        this.respond(open, { error: { code: unavailable, message: refusal } });
        return;
      }
      if (usesRoots.has(request.method)) {
        while (this.naming !== undefined) {
          await this.naming;
        }
        const problem = outOfTurn(request, this.handshake, this._client);
        if (problem) {
          this.respond(open, { error: { code: invalidRequest, message: problem } });
          return;
        }
        await this.settling.over(cancelled.signal);
      }
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
    if (this.isOpen(open)) {
      pass();
    }
  }

  /** Sends a modern request, again and again while only roots are asked for. */
  private async repeat(
    open: PendingRequest,
    { method, params = {} }: JSONRPCRequest,
  ): Promise<void> {
    try {
      const result = await this.rounds.relay({
        method,
        params,
        send: sent => {
          open.cancelled.signal.throwIfAborted();
          // (2026-07-28, basic/patterns/mrtr: a repetition has an id of its own.)
          open.sentAs = open.sentAs === undefined ? open.request.id : this.newId();
          return this.ask(method, sent, open);
        },
      });
      this.respond(open, { result });
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
  }

  /** Passes on a request that may answer questions outside of rounds, such as those about a task. */
  private passOnce(open: PendingRequest, request: JSONRPCRequest, line?: Buffer): void {
    try {
      this.rounds.refuseRoots(Object(request.params?.['inputResponses']));
      this.pass(open, request, line);
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
  }

  private pass(open: PendingRequest, request: JSONRPCRequest, line?: Buffer): void {
    open.sentAs = request.id;
    this.send(request, line, open);
  }

  private isOpen(open: PendingRequest): boolean {
    return this.open.get(open.request.id) === open;
  }

  private takeFromServer(message: JSONRPCMessage, line: Buffer | undefined): void {
    if (!('method' in message)) {
      this.takeResponse(message, line);
    } else if (!('id' in message)) {
      if (message.method === 'notifications/cancelled') {
        this.callOffQuestion(message);
      } else {
        this.write(message, line);
      }
    } else if (message.method === rootsRequest && this.handshake === 'open') {
      // It has no client yet that could be told of changes.
      this.reply(message.id, { error: noRoots });
    } else if (this.answerer.takeRequest(message, body => this.reply(message.id, body))) {
      // It was about roots, which are ours.
    } else {
      const id = this.newId();
      if (isKept(message.id) && this.questions.open(id, message.id)) {
        this.write({ ...message, id }, undefined);
      } else {
        this.reply(message.id, busy);
      }
    }
  }

  private callOffQuestion(notice: JSONRPCNotification): void {
    const isMeant = ([, askedAs]: readonly [unknown, RequestId]) =>
      askedAs === notice.params?.['requestId'];
    const [requestId] = this.questions.all.find(isMeant) ?? [];
    if (this.questions.settle(requestId) !== undefined) {
      this.write({ ...notice, params: { ...notice.params, requestId } }, undefined);
    }
  }

  private takeResponse(response: JSONRPCResponse, line: Buffer | undefined): void {
    const asked = this.asked.settle(response.id);
    if (asked) {
      asked(response);
      return;
    }
    const open = this.open.settle(response.id);
    if (!open) {
      return;
    }
    const { method, params = {} } = open.request;
    const { label } = this.host;
    if ('error' in response) {
      let { error } = response;
      if (method === 'initialize') {
        this.callOffHandshake();
        error = withoutCommonRevision(label, this._client, error, params);
      }
      this.write({ ...response, error }, error === response.error ? line : undefined);
      return;
    }
    this.noteEra(open, response.result);
    if (said.has(method) && response.result['resultType'] === 'input_required') {
      // Only calls may ask.
      const message = `The server "${label}" asked a question where it may not.`;
      this.answer(response.id, { error: { code: unavailable, message } });
      return;
    }
    if (said.has(method)) {
      const result = namedAs(label, method, response.result);
      if (method === 'initialize') {
        // The client had asked for its latest revision, and decides whether it speaks this one.
        this.wire.setProtocolVersion?.(String(result['protocolVersion']));
      }
      this.write({ ...response, result }, result === response.result ? line : undefined);
      this.didSay.fire({ method, params, result });
      this.finishHandshake();
    } else {
      this.write(response, line);
    }
  }

  /** The client may ask for another revision. */
  private callOffHandshake(): void {
    if (this.handshake === 'asked') {
      this.handshake = 'open';
      this.greeting = undefined;
      this.endHandshake();
    }
  }

  /** The server says by its answers which era it speaks: each result of the later one has a type. */
  private noteEra({ request }: PendingRequest, result: JsonObject): void {
    if (request.method === 'initialize' && this.handshake === 'asked') {
      this.handshake = 'answered';
    } else if (
      isModernRequest(request) &&
      this.handshake === 'open' &&
      (request.method === 'server/discover' || typeof result['resultType'] === 'string')
    ) {
      this.handshake = 'modern';
    }
  }

  private respond(open: PendingRequest, body: object): void {
    // One that was cancelled is answered no more.
    if (this.open.settle(open.request.id, open)) {
      this.answer(open.request.id, body);
    }
  }

  private answer(id: RequestId | undefined, body: object): void {
    this.write({ jsonrpc: '2.0', id, ...body } as JSONRPCResponse, undefined);
  }

  /** Sends a request that is answered to us; settles as its answer does. @param open under its id. */
  private ask(method: string, params: JsonObject, open?: PendingRequest): Promise<JsonObject> {
    const id = open?.sentAs ?? this.newId();
    return new Promise((resolve, reject) => {
      this.asked.open(id, response => {
        if ('result' in response) {
          if (open) {
            this.noteEra(open, response.result);
          }
          resolve(response.result);
        } else {
          reject(response.error);
        }
      });
      this.send({ jsonrpc: '2.0', id, method, params } as JSONRPCRequest, undefined, open);
    });
  }

  private newId(): string {
    // Not counted: the client may be another relay, or the server behind one.
    return `${ours}${randomUUID()}`;
  }

  private reply(id: RequestId, body: object): void {
    this.send({ jsonrpc: '2.0', id, ...body } as JSONRPCResponse, undefined);
  }

  private send(message: JSONRPCMessage, line: Buffer | undefined, open?: PendingRequest): void {
    const { wire } = this;
    if (wire.kind === 'http') {
      const stream = open && this.streamOf(open);
      const options = stream && { requestSignal: stream };
      const sent = this.handshaken.then(() => wire.send(message, options));
      // Over HTTP the next message could arrive sooner.
      const isLast = 'method' in message && message.method === 'notifications/initialized';
      this.handshaken = isLast ? sent.catch(() => {}) : this.handshaken;
      sent.catch(error => this.fail(message, error));
    } else if (line && wire.sendLine) {
      wire.sendLine(message, line);
    } else {
      // It fails only when the server is gone, of which the session hears.
      wire.send(message).catch(() => {});
    }
  }

  /** The signal whose abort cancels the request, over HTTP in the later revisions. */
  private streamOf({ cancelled }: PendingRequest): AbortSignal | undefined {
    return this.era === 'modern' && this.wire.hasPerRequestStream ? cancelled.signal : undefined;
  }

  /** Over HTTP a single request can fail. */
  private async fail(message: JSONRPCMessage, error: unknown): Promise<void> {
    if ('method' in message && 'id' in message) {
      const { id } = message;
      const failure = inEnglish(failureSentence(await this.wire.explain(error)));
      const sentence = `The server "${this.host.label}" ${failure.replace(/\.$/, '')}.`;
      const told = errorIn(error) ?? { code: unavailable, message: sentence };
      this.takeResponse({ jsonrpc: '2.0', id, error: told }, undefined);
    }
  }

  private write(message: JSONRPCMessage, line: Buffer | undefined): void {
    this.host.write(line ? withLineEnd(line) : `${JSON.stringify(message)}\n`);
  }
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // Some state of somebody else's.
  }
}

/** The error of a server that answered with it by HTTP's own means. */
function errorIn(error: unknown): JSONRPCErrorResponse['error'] | undefined {
  const bodies = causesOf(error).map(
    cause => Object(parsed(Object(Object(cause).data).text)).error,
  );
  const told = bodies.find(body => body !== undefined);
  return told && jsonRpcError(told);
}

const invalidRequest = -32600;
