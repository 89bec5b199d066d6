import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { After } from '../base/clock.ts';
import { DisposableStore, type IDisposable, MutableDisposable } from '../base/disposable.ts';
import { finishLimit, leftUnanswered } from '../base/endOfInput.ts';
import { idIsTaken, OpenRequests } from '../base/openRequests.ts';
import {
  eachLine,
  type Json,
  lineOf,
  type Message,
  type MessageId,
  messageIn,
} from './messages.ts';
import { answerFrom, type KnownSnapshot } from './snapshot.ts';

/** A gateway that took the connector in. */
export interface GatewayLink {
  /** The id of its window. */
  readonly window: string;
  /** Takes whole lines, each with its end. */
  send(lines: Buffer | string): void;
  /** Calls these from now on: with whole lines that came, and when the gateway is gone. */
  listen(onLines: (lines: Buffer) => void, onGone: () => void): void;
  close(): void;
}

/** The result of one try to reach a gateway. A refusal is final; a gateway that is away may come back. */
export type Reached =
  | { readonly link: GatewayLink }
  | { readonly refused: string }
  | {
      readonly away: string;
      /** A window was found that ends or is busy. */
      readonly isExpected?: boolean;
    };

/** The words of a client about itself by which its window is chosen. */
export interface ClientWords {
  readonly client: string | undefined;
  /** As URIs. */
  readonly roots: readonly string[];
}

export interface ConnectorHost {
  readonly label: string;
  /** Writes whole lines to the client. */
  readonly write: (lines: Buffer | string) => void;
  /** Tries once to reach the gateway of the window that such a client means. */
  readonly reach: (words: ClientWords) => Promise<Reached>;
  /** The id of that window; `undefined`: there is none. */
  readonly meant: (words: ClientWords) => Promise<string | undefined>;
  /** Whether the roots of the client help to choose the window. */
  readonly needsRoots: boolean;
  readonly known: (words: ClientWords) => Promise<KnownSnapshot | undefined>;
  readonly after: After;
  /** Writes to the log of the client. */
  readonly report: (sentence: string) => void;
  /** Ends the process, when nothing can come of it any more. */
  readonly end: () => void;
}

interface OpenCall {
  readonly id: MessageId;
  readonly method: string;
  readonly line: Buffer;
  isSent: boolean;
}

/** Requests wait this long for a gateway that is away, in milliseconds: a window reloads in less. */
const patienceTime = 15_000;
/** The time between two looks for it, until then and after. */
const [soon, later] = [100, 1_000];

/** Calls wait this long for the client to name its roots, in milliseconds. */
const rootsLimit = 1_000;
/** The ids of our own requests, to the client and to the server. */
const ours = 'mcp-roots-connect-';
const rootsQuestion = `${ours}roots`;
const unavailable = -32000;
/** Lists that are not waited for: some clients ask for them with the tools, and show nothing before. */
const furtherList = /^(?:prompts|resources)\/.*list$/;

/**
 * Joins a client to a gateway that comes and goes. Messages pass as they are. The handshake, log level
 * and subscriptions of the client are kept, and repeated to the next process of the server.
 */
export class Connector implements IDisposable {
  private readonly host: ConnectorHost;
  private readonly store = new DisposableStore();
  private readonly patience = this.store.add(new MutableDisposable());
  private readonly retry = this.store.add(new MutableDisposable());

  private link: GatewayLink | undefined;
  /** The server there has the handshake of the client, so that messages can pass. */
  private isReady = false;
  private isTrying = false;
  /** The outcome of the last look; `undefined`: none has ended since the start or the loss. */
  private problem: { readonly why: string; readonly isRefusal: boolean } | undefined;
  /** The time for waiting is over. */
  private isLate = false;
  /** A window that knows the server was there, and may come back. */
  private isExpected = false;

  private opening: Json = {};
  private promised: readonly unknown[] | undefined;
  private isInitialized = false;
  /** The subscriptions of the client by their URIs, and without one, its log level. */
  private readonly settings = new Map<
    unknown,
    { readonly method: string; readonly params: Json }
  >();
  private roots: readonly string[] = [];
  /** The state of asking the client for its roots. Calls wait from `due` until `over`. */
  private naming: 'unneeded' | 'due' | 'asked' | 'over' = 'unneeded';

  private readonly open = new OpenRequests<OpenCall>();
  /** Requests to the server whose answers are not for the client. */
  private readonly asked = new OpenRequests<(response: Message) => void>();
  /** The ids of requests that the client is to answer. The gateway makes them: none comes twice. */
  private readonly questions = new Set<unknown>();
  /** The client says nothing more, and so answers nothing. */
  private hasEnded = false;

  constructor(host: ConnectorHost) {
    this.host = host;
  }

  start(): void {
    this.beginPatience();
    void this.look();
  }

  /** Takes whole lines of the client. */
  takeFromClient(lines: Buffer): void {
    // A call may stand right behind the notice with which the client's roots are asked for.
    const isOpening = this.host.needsRoots && !this.isInitialized;
    const isPlain = this.isReady && !isOpening && !this.holdsCalls;
    // The other end works while these lines are looked at here.
    if (isPlain) {
      this.link?.send(lines);
    }
    for (const line of eachLine(lines)) {
      if (this.isForServer(line, isPlain) && !isPlain) {
        this.link?.send(line);
      }
    }
  }

  /** Resolves when the client, which has closed its end, has the answers to what it had asked. */
  async finish(): Promise<void> {
    this.hasEnded = true;
    for (const id of this.questions) {
      this.refuse(id);
    }
    if (this.holdsCalls) {
      this.goOn();
    }
    const left = await leftUnanswered(this.open);
    const unanswered =
      `The client closed its end ${finishLimit / 1000} seconds ago, and the server ` +
      `"${this.host.label}" has not answered since.`;
    const absence = this.link ? undefined : this.problem?.why;
    // First: an answer that comes now would be a second one.
    this.dispose();
    for (const [, open] of left) {
      this.fail(open, absence ?? unanswered);
    }
  }

  dispose(): void {
    this.store.dispose();
    const link = this.link;
    this.link = undefined;
    link?.close();
  }

  private takeFromServer(link: GatewayLink, lines: Buffer): void {
    const isPassing = !this.hasEnded && this.asked.size === 0;
    const isPlain = isPassing && !lines.includes('{"mcpRoots"');
    if (isPlain) {
      this.host.write(lines);
    }
    for (const line of eachLine(lines)) {
      if (this.link === link && this.isForClient(link, line) && !isPlain) {
        this.host.write(line);
      }
    }
    this.askForRoots();
  }

  /** Whether the line is to be passed on now. @param isSent whether it has been already. */
  private isForServer(line: Buffer, isSent: boolean): boolean {
    const message = messageIn(line);
    const { id, method, params } = message;
    if (method === undefined) {
      // The gateway has an answer to a line that is no message.
      return id === undefined ? this.isReady : this.takeAnswer(id, message);
    }
    return id === undefined
      ? this.takeNotice(method, params ?? {})
      : this.takeRequest(id, method, params ?? {}, line, isSent);
  }

  private takeRequest(
    id: MessageId,
    method: string,
    params: Json,
    line: Buffer,
    wasSent: boolean,
  ): boolean {
    const isSent = wasSent || (this.isReady && !this.isHeld(method));
    // The line is a part of a larger piece of memory, which is not to be kept for it.
    const open = { id, method, line: Buffer.from(line), isSent };
    if (!this.open.open(id, open)) {
      if (!wasSent) {
        this.host.write(lineOf({ id, error: idIsTaken }));
      }
      return false;
    }
    this.keep(method, params);
    if (!isSent) {
      if (!this.link && !this.isTrying && this.isGivenUp) {
        void this.look();
      }
      void this.advance(open);
    }
    return isSent;
  }

  /** Keeps a message that is repeated to the next process of the server. */
  private keep(method: string, params: Json): void {
    if (method === 'initialize') {
      this.opening = params;
    } else if (method === 'logging/setLevel' || method === 'resources/subscribe') {
      this.settings.set(params['uri'], { method, params });
    } else if (method === 'resources/unsubscribe') {
      this.settings.delete(params['uri']);
    }
  }

  private takeNotice(method: string, params: Json): boolean {
    if (method === 'notifications/initialized') {
      this.isInitialized = true;
      if (this.host.needsRoots && Object(this.opening['capabilities']).roots !== undefined) {
        this.naming = 'due';
        this.askForRoots();
      }
    } else if (method === 'notifications/cancelled') {
      const open = this.open.settle(this.open.idOf(params['requestId']));
      this.askForRoots();
      return this.isReady && open?.isSent !== false;
    }
    return this.isReady;
  }

  private takeAnswer(id: MessageId, message: Message): boolean {
    if (id === rootsQuestion && this.naming !== 'unneeded') {
      void this.takeRoots(rootsIn(message.result));
      return false;
    }
    this.questions.delete(id);
    return this.isReady;
  }

  private isForClient(link: GatewayLink, line: Buffer): boolean {
    const message = messageIn(line);
    const { id, method, params } = message;
    if (message['mcpRoots'] === 'bye' && message['jsonrpc'] === undefined) {
      const { passedOn, message: why } = message;
      this.lose(link, Array.isArray(passedOn) ? passedOn : undefined, why as string | undefined);
      return false;
    }
    if (id !== undefined) {
      return method === undefined ? this.takeResponse(id, message) : this.takeQuestion(id);
    }
    if (method === 'notifications/cancelled') {
      this.questions.delete(params?.['requestId']);
    }
    return true;
  }

  private takeResponse(id: MessageId, message: Message): boolean {
    const take = this.asked.settle(id);
    if (take) {
      take(message);
      return false;
    }
    if (this.open.settle(id)?.method === 'initialize' && message.result) {
      this.promised = promisesIn(message.result);
    }
    return true;
  }

  private takeQuestion(id: MessageId): boolean {
    if (this.hasEnded) {
      this.refuse(id);
    } else {
      this.questions.add(id);
    }
    return !this.hasEnded;
  }

  private refuse(id: unknown): void {
    const error = { code: unavailable, message: 'The client has closed its end.' };
    this.link?.send(lineOf({ id, error }));
  }

  private beginPatience(): void {
    this.isLate = false;
    this.patience.value = this.host.after(patienceTime, () => {
      this.isLate = true;
      this.advanceAll();
    });
  }

  private async look(): Promise<void> {
    this.isTrying = true;
    this.retry.value = undefined;
    const { words } = this;
    const reached = await this.host.reach(words);
    if (words.roots !== this.roots) {
      // They were named meanwhile, and may mean another window.
      if ('link' in reached) {
        reached.link.close();
      }
      await this.look();
      return;
    }
    if ('link' in reached) {
      this.isTrying = false;
      this.join(reached.link);
      return;
    }
    this.isExpected ||= 'away' in reached && reached.isExpected === true;
    this.isExpected ||= (await this.host.known(this.words))?.isOfWindow === true;
    this.isTrying = false;
    if ('refused' in reached) {
      this.problem = { why: reached.refused, isRefusal: true };
    } else {
      this.problem = { why: reached.away, isRefusal: false };
      this.lookAgain();
    }
    this.advanceAll();
  }

  private lookAgain(): void {
    this.retry.value = this.host.after(this.isLate ? later : soon, () => void this.look());
  }

  /** Nothing is waited for: each further request is one more try. */
  private get isGivenUp(): boolean {
    return this.problem?.isRefusal || this.isLate || !this.isExpected;
  }

  private get words(): ClientWords {
    return { client: Object(this.opening['clientInfo']).name, roots: this.roots };
  }

  private join(link: GatewayLink): void {
    if (this.store.isDisposed) {
      link.close();
      return;
    }
    this.isExpected = true;
    this.link = link;
    link.listen(
      lines => this.takeFromServer(link, lines),
      () => this.lose(link, undefined),
    );
    if (this.link !== link) {
      return; // Its goodbye came right behind its welcome.
    }
    if (this.promised) {
      const [protocolVersion] = this.promised;
      // The revision of the first answer holds, even if the client had asked for another.
      this.ask('initialize', { ...this.opening, protocolVersion }, response => {
        if (isKept(this.promised, response)) {
          this.resume();
        } else {
          this.giveUp(response);
        }
      });
    } else {
      this.isReady = true;
      this.advanceAll();
    }
  }

  /** Repeats to the server what it knew of the client besides the handshake. */
  private resume(): void {
    if (this.isInitialized) {
      this.link?.send(lineOf({ method: 'notifications/initialized' }));
    }
    for (const { method, params } of this.settings.values()) {
      this.ask(method, params);
    }
    this.isReady = true;
    const [, , capabilities] = this.promised ?? [];
    for (const kind of this.isInitialized ? ['tools', 'prompts', 'resources'] : []) {
      if (Object(Object(capabilities)[kind]).listChanged) {
        this.host.write(lineOf({ method: `notifications/${kind}/list_changed` }));
      }
    }
    this.advanceAll();
  }

  /**
   * @param passedOn the requests that the server had; `undefined`: nobody knows.
   * @param refusal why there is no use in coming again.
   */
  private lose(
    link: GatewayLink,
    passedOn: readonly unknown[] | undefined,
    refusal?: string,
  ): void {
    if (this.link !== link) {
      return;
    }
    this.link = undefined;
    this.isReady = false;
    this.asked.endAll();
    link.close();
    for (const requestId of this.questions) {
      const params = { requestId, reason: 'The server is gone.' };
      this.host.write(lineOf({ method: 'notifications/cancelled', params }));
    }
    this.questions.clear();
    for (const [, open] of this.open.all.filter(([, { isSent }]) => isSent)) {
      if (open.method === 'tools/call' && passedOn?.includes(open.id) !== false) {
        const cause = refusal ?? `The server "${this.host.label}" went away during this call.`;
        this.fail(open, `${cause} Whether the call did its work is not known.`);
      } else {
        open.isSent = false;
      }
    }
    this.beginPatience();
    if (refusal === undefined) {
      this.problem = undefined;
      this.lookAgain();
    } else {
      this.problem = { why: refusal, isRefusal: true };
      this.advanceAll();
    }
  }

  /** Ends, because the server is another one than the client was promised. */
  private giveUp({ error }: Message): void {
    const { label } = this.host;
    const changed = `The server "${label}" has changed since this client started it. Start it again there.`;
    const sentence = error ? String(error['message']) : changed;
    for (const [, open] of this.open.all) {
      this.fail(open, sentence);
    }
    this.host.report(sentence);
    this.host.end();
  }

  private advanceAll(): void {
    for (const [, open] of this.open.all) {
      void this.advance(open);
    }
  }

  /** Sends a request, answers it from the snapshot, or fails it, as far as that can be done now. */
  private async advance(open: OpenCall): Promise<void> {
    if (this.link) {
      if (this.isReady && !open.isSent && !this.isHeld(open.method)) {
        open.isSent = true;
        this.link.send(open.line);
        if (open.method === 'initialize' && this.isInitialized) {
          // It came when there was no link yet.
          this.link.send(lineOf({ method: 'notifications/initialized' }));
        }
      }
      return;
    }
    // Once no gateway was found, the snapshot answers.
    const isAway = this.problem?.isRefusal === false;
    const isOver = !this.isTrying && this.isGivenUp;
    if (open.method !== 'tools/call' && (isAway || isOver)) {
      const { params = {} } = messageIn(open.line);
      const answer = answerFrom((await this.host.known(this.words))?.snapshot, open.method, params);
      if (answer && !this.link && this.open.settle(open.id, open)) {
        this.answerFor(open, answer);
      }
    }
    const isUnwaited = this.isGivenUp || furtherList.test(open.method);
    if (!this.link && !this.isTrying && this.problem && isUnwaited) {
      this.fail(open, this.problem.why);
    }
  }

  /** Answers for a server that is away. When it is back, its handshake must be the same. */
  private answerFor(
    { id, method }: OpenCall,
    answer: { readonly result?: Json; readonly error?: Json },
  ): void {
    if (method === 'initialize') {
      this.promised = answer.result && promisesIn(answer.result);
    }
    this.host.write(lineOf({ id, ...answer }));
    this.askForRoots();
  }

  private fail(open: OpenCall, sentence: string): void {
    if (this.open.settle(open.id, open)) {
      this.host.write(lineOf({ id: open.id, error: { code: unavailable, message: sentence } }));
      this.host.report(sentence);
      this.askForRoots();
    }
  }

  private ask(method: string, params: Json, take: (response: Message) => void = () => {}): void {
    const id = `${ours}${randomUUID()}`;
    this.asked.open(id, take);
    this.link?.send(lineOf({ id, method, params }));
  }

  /** Not before the client has the answer to its handshake. (2025-11-25, basic/lifecycle.) */
  private askForRoots(): void {
    const isShaking = () => this.open.all.some(([, { method }]) => method === 'initialize');
    if (this.naming === 'due' && !isShaking()) {
      this.naming = 'asked';
      this.store.add(this.host.after(rootsLimit, () => this.goOn()));
      this.host.write(lineOf({ id: rootsQuestion, method: 'roots/list' }));
    }
  }

  private get holdsCalls(): boolean {
    return this.naming === 'due' || this.naming === 'asked';
  }

  private isHeld(method: string): boolean {
    return this.holdsCalls && method === 'tools/call';
  }

  /** Roots that are named later count from then on. */
  private async takeRoots(roots: readonly string[]): Promise<void> {
    this.roots = roots;
    const { link } = this;
    if (roots.length > 0 && link && (await this.host.meant(this.words)) !== link.window) {
      this.lose(link, this.holdsCalls ? [] : undefined);
    }
    this.goOn();
  }

  private goOn(): void {
    this.naming = 'over';
    this.advanceAll();
  }
}

/** The promises of a handshake, which hold as long as the client is there. */
function promisesIn(result: Json): readonly unknown[] {
  return [result['protocolVersion'], result['supportedVersions'], result['capabilities']];
}

function isKept(promised: readonly unknown[] | undefined, { result }: Message): boolean {
  return isDeepStrictEqual(promised, result && promisesIn(result));
}

/** The URIs of the roots in the answer of a client; none: it did not say. */
function rootsIn(result: Json | undefined): string[] {
  const { roots } = Object(result);
  return Array.isArray(roots) ? roots.map(root => String(Object(root).uri)) : [];
}
