import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
} from '@modelcontextprotocol/client';
import type { After } from '../base/clock.ts';
import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Era } from '../domain/exposure.ts';
import type { Root } from '../domain/roots.ts';
import { InputRounds } from './inputRounds.ts';
import { type Answer, RootsAnswerer, rootsCapability } from './rootsAnswerer.ts';
import { SettleWait } from './settleWait.ts';
import { type ConnectionTimes, defaultTimes } from './times.ts';
import type { Wire } from './wire.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a client of a relay is, as far as it has said. */
export interface RelayedClient {
  /** What it calls itself; nobody checks that. */
  readonly name: string;
  readonly version: string;
}

/** Between whom messages are relayed, and who decides what is about roots. */
export interface RelayHost {
  /** The name and title of the server towards the client. */
  readonly label: string;
  /** Writes one message to the client: a line with its end. */
  readonly write: (line: string | Buffer) => void;
  /**
   * Looks at what the server may see before that is said, and may set it ({@link Relay.setRoots}).
   * `undefined`: there is nothing to wait for.
   */
  readonly lookAgain: () => Promise<void> | undefined;
  /**
   * Whether the client may call a tool of the server now.
   *
   * @returns why not, in finished sentences.
   */
  readonly admit: (client: RelayedClient, tool: string) => Promise<string | undefined>;
  readonly after: After;
  /** Left out: those for a server that a person waits for. */
  readonly times?: ConnectionTimes;
}

/** What a server said of itself. */
export interface Said {
  readonly method: string;
  readonly result: Json;
}

/** A request of the client without a response. */
interface Open {
  readonly request: JSONRPCRequest;
  /** Under which the server has it; `undefined`: it has not. */
  sentAs: RequestId | undefined;
}

/** The ids of our own requests, to the server and to the client. */
const ours = 'mcp-roots-';
const unavailable = -32000;

/**
 * Relays the messages of one client and one server as they are, in whichever revision they speak. Only
 * what is about roots is ours: the server is offered them, asks us for them, and is told of changes by
 * us; its tools are called only by a client that may, and once it has taken its roots in.
 */
export class Relay implements IDisposable {
  private readonly wire: Wire;
  private readonly host: RelayHost;
  private readonly answerer: RootsAnswerer;
  private readonly rounds: InputRounds;
  private readonly settling: SettleWait;
  private readonly open = new Map<RequestId, Open>();
  /** Our own requests to the server, by their ids. */
  private readonly asked = new Map<RequestId, (response: JSONRPCResponse) => void>();
  /** The requests of the server that the client is to answer. */
  private readonly questions = new Set<RequestId>();
  private readonly didSay = new Emitter<Said>();
  private era: Era | undefined;
  private client: RelayedClient = { name: '', version: '' };
  private readonly isOffered: boolean;
  private nextId = 0;

  /** What came in answer to a handshake or a list, as the client sees it. */
  readonly onDidSay: Event<Said> = this.didSay.event;
  readonly onDidServeRoots: Event<Answer>;
  readonly onDidNeglect: Event<boolean>;

  /** @param roots `undefined`: the server is offered none, whatever the client has. */
  constructor(wire: Wire, roots: readonly Root[] | undefined, host: RelayHost) {
    this.wire = wire;
    this.host = host;
    this.isOffered = roots !== undefined;
    const client = {
      getProtocolEra: () => this.era,
      sendRootsListChanged: async () => this.notify('notifications/roots/list_changed'),
    };
    this.answerer = new RootsAnswerer(client, roots, host.times ?? defaultTimes, host.lookAgain);
    // The client decides on all other questions; it has declared what it answers.
    this.rounds = new InputRounds(client, this.answerer, () => true);
    this.settling = new SettleWait(host.after, () => this.ask('ping', {}));
    this.onDidServeRoots = this.answerer.onDidAnswer;
    this.onDidNeglect = this.answerer.onDidNeglect;
    this.answerer.onDidAnswer(({ era }) => era === 'legacy' && this.settling.answered());
    wire.takeAll = (message, line) => this.takeFromServer(message, line);
  }

  /** The requests that the server has and has not answered. */
  get passedOn(): readonly RequestId[] {
    return [...this.open].flatMap(([id, { sentAs }]) => (sentAs === undefined ? [] : [id]));
  }

  /** Sets what the server may see from now on; it is told of the change. */
  setRoots(roots: readonly Root[]): void {
    this.settling.renew();
    this.answerer.setRoots(roots);
  }

  /** Takes a message of the client. @param line in which it came, without its end. */
  takeFromClient(message: JSONRPCMessage, line: Buffer): void {
    if (!('method' in message)) {
      this.takeAnswer(message, line);
    } else if ('id' in message) {
      this.takeRequest(message, line);
    } else {
      this.takeNotice(message, line);
    }
  }

  dispose(): void {
    this.answerer.dispose();
    this.settling.dispose();
    this.didSay.dispose();
  }

  /** An answer that no question waits for goes no further: it may be to one of an earlier process. */
  private takeAnswer(response: JSONRPCResponse, line: Buffer): void {
    if (response.id !== undefined && this.questions.delete(response.id)) {
      this.send(response, line);
    }
  }

  private takeRequest(request: JSONRPCRequest, line: Buffer): void {
    const { id, method } = request;
    const open: Open = { request, sentAs: undefined };
    this.open.set(id, open);
    if (method === 'initialize') {
      this.client = clientIn(request.params?.['clientInfo']);
      this.pass(open, offering(request, this.isOffered));
    } else if (isModern(request)) {
      void this.passModern(open);
    } else if (method === 'tools/call') {
      void this.passCall(open, () => this.pass(open, request, line));
    } else {
      this.pass(open, request, line);
    }
  }

  private takeNotice(notice: JSONRPCNotification, line: Buffer): void {
    const { method, params = {} } = notice;
    if (method === 'notifications/roots/list_changed') {
      return; // The server hears of changes of its own roots, which the client does not decide.
    }
    if (method === 'notifications/cancelled') {
      const id = params['requestId'] as RequestId;
      const open = this.open.get(id);
      // Nobody waits for it any more; what the server never had it need not forget.
      this.open.delete(id);
      if (open?.sentAs !== id) {
        if (open?.sentAs !== undefined) {
          this.asked.delete(open.sentAs);
          this.send({ ...notice, params: { ...params, requestId: open.sentAs } }, undefined);
        }
        return;
      }
      this.asked.delete(id);
    }
    this.send(notice, line);
    if (method === 'notifications/initialized') {
      this.era = 'legacy';
      this.settling.begin();
    }
  }

  /** Passes a call on when the client may make it and the server has had the time for its roots. */
  private async passCall(open: Open, pass: () => void): Promise<void> {
    const { id, params = {} } = open.request;
    const refusal = await this.host.admit(this.client, String(params['name']));
    if (refusal !== undefined) {
      this.refuse(open, refusal);
      return;
    }
    await this.settling.over(new AbortController().signal);
    if (this.open.get(id) === open) {
      pass();
    }
  }

  /** The parameters have a declaration of the client's capabilities, to which roots belong here. */
  private async passModern(open: Open): Promise<void> {
    this.era = 'modern';
    const request = offering(open.request, this.isOffered);
    const { id, method, params = {} } = request;
    this.client = clientIn(Object(params['_meta'])[CLIENT_INFO_META_KEY]);
    if (method === 'tools/call') {
      await this.passCall(open, () => void this.repeat(open, request));
    } else if (method === 'server/discover' || this.open.get(id) !== open) {
      this.pass(open, request);
    } else {
      await this.repeat(open, request);
    }
  }

  /** Sends a modern request, again and again while only roots are asked for. */
  private async repeat(open: Open, { id, method, params = {} }: JSONRPCRequest): Promise<void> {
    const { inputResponses, requestState, ...own } = params;
    const continuation = continuationIn(requestState);
    const responses = Object(inputResponses) as Json;
    try {
      const outcome = await this.rounds.run<Json>({
        method,
        params: own,
        ...(requestState === undefined && inputResponses === undefined
          ? {}
          : { answers: { responses, continuation } }),
        send: sent => {
          // (2026-07-28, basic/patterns/mrtr: a repetition has an id of its own.)
          open.sentAs = open.sentAs === undefined ? id : this.newId();
          return this.ask(method, sent, open.sentAs);
        },
      });
      const result =
        outcome.kind === 'result'
          ? outcome.result
          : {
              resultType: 'input_required',
              inputRequests: outcome.requests,
              requestState: outcome.continuation,
            };
      this.respond(open, { jsonrpc: '2.0', id, result: this.renamed(method, result) });
    } catch (error) {
      this.respond(open, { jsonrpc: '2.0', id, error: errorOf(error) });
    }
  }

  private pass(open: Open, request: JSONRPCRequest, line?: Buffer): void {
    open.sentAs = request.id;
    this.send(request, line);
  }

  private takeFromServer(message: JSONRPCMessage, line: Buffer | undefined): void {
    if (!('method' in message)) {
      this.takeResponse(message, line);
    } else if (!('id' in message)) {
      this.write(message, line);
    } else if (!this.answerer.takeRequest(message, body => this.reply(message.id, body))) {
      this.questions.add(message.id);
      this.write(message, line);
    }
  }

  private takeResponse(response: JSONRPCResponse, line: Buffer | undefined): void {
    const id = response.id as RequestId;
    const asked = this.asked.get(id);
    if (asked) {
      this.asked.delete(id);
      asked(response);
      return;
    }
    const open = this.open.get(id);
    this.open.delete(id);
    if (!open) {
      return;
    }
    const { method } = open.request;
    if ('result' in response && said.has(method)) {
      const result = this.renamed(method, response.result);
      this.write({ ...response, result }, result === response.result ? line : undefined);
      this.didSay.fire({ method, result });
    } else {
      this.write(response, line);
    }
  }

  /** The answer to a handshake names the server as the user does. */
  private renamed(method: string, result: Json): Json {
    const { serverInfo } = result;
    return (method === 'initialize' || method === 'server/discover') && serverInfo
      ? {
          ...result,
          serverInfo: { ...Object(serverInfo), name: this.host.label, title: this.host.label },
        }
      : result;
  }

  private refuse(open: Open, sentence: string): void {
    const { id } = open.request;
    if (this.open.get(id) === open) {
      const error = { code: unavailable, message: sentence };
      this.respond(open, { jsonrpc: '2.0', id, error });
    }
  }

  private respond(open: Open, response: JSONRPCResponse): void {
    const { id } = open.request;
    // One that was called off is answered no more.
    if (this.open.get(id) === open) {
      this.open.delete(id);
      this.write(response, undefined);
    }
  }

  /** Sends a request under an id of ours, unless it has one; settles as its answer does. */
  private ask(method: string, params: Json, id: RequestId = this.newId()): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.asked.set(id, response =>
        'result' in response ? resolve(response.result) : reject(response.error),
      );
      this.send({ jsonrpc: '2.0', id, method, params } as JSONRPCRequest, undefined);
    });
  }

  private newId(): string {
    return `${ours}${this.nextId++}`;
  }

  private notify(method: string): void {
    this.send({ jsonrpc: '2.0', method }, undefined);
  }

  private reply(id: RequestId, body: object): void {
    this.send({ jsonrpc: '2.0', id, ...body } as JSONRPCResponse, undefined);
  }

  private send(message: JSONRPCMessage, line: Buffer | undefined): void {
    if (line && this.wire.sendLine) {
      this.wire.sendLine(message, line);
    } else {
      // It fails only when the server is gone, of which the session hears.
      this.wire.send(message).catch(() => {});
    }
  }

  private write(message: JSONRPCMessage, line: Buffer | undefined): void {
    this.host.write(line ? Buffer.concat([line, lineEnd]) : `${JSON.stringify(message)}\n`);
  }
}

const lineEnd = Buffer.from('\n');

/** The requests of which the answer is worth knowing when the server is away. */
const said: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'tools/list', 'prompts/list'],
  ...['resources/list', 'resources/templates/list'],
]);

/** Every request of the later revisions declares what its client can do. (2026-07-28, basic/index.) */
function isModern({ params }: JSONRPCRequest): boolean {
  return Object.hasOwn(Object(params?._meta), CLIENT_CAPABILITIES_META_KEY);
}

/** The request as one of a client that has roots, whatever this one has. */
function offering(request: JSONRPCRequest, isOffered: boolean): JSONRPCRequest {
  const { params = {} } = request;
  const withRoots = (capabilities: unknown) => {
    const { roots: _, ...others } = Object(capabilities);
    return isOffered ? { ...others, ...rootsCapability } : others;
  };
  if (request.method === 'initialize') {
    return { ...request, params: { ...params, capabilities: withRoots(params['capabilities']) } };
  }
  const meta = Object(params._meta);
  const declared = withRoots(meta[CLIENT_CAPABILITIES_META_KEY]);
  return {
    ...request,
    params: { ...params, _meta: { ...meta, [CLIENT_CAPABILITIES_META_KEY]: declared } },
  };
}

function clientIn(info: unknown): RelayedClient {
  const { name, version } = Object(info);
  return { name: String(name ?? ''), version: String(version ?? '') };
}

/** The state that a question went out with; any other text is one of no question of ours. */
function continuationIn(state: unknown): string {
  return typeof state === 'string' ? state : '{"roots":[]}';
}

function errorOf(error: unknown) {
  const { code, message, data } = Object(error);
  return {
    code: Number.isSafeInteger(code) ? (code as number) : internalError,
    message: String(message ?? error),
    ...(data !== undefined && { data }),
  };
}

const internalError = -32603;
