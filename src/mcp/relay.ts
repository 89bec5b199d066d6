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
import { withLineEnd } from '../base/lineReader.ts';
import type { Era } from '../domain/exposure.ts';
import { commonRoots, type Root } from '../domain/roots.ts';
import { InputRounds } from './inputRounds.ts';
import {
  type Answer,
  RootsAnswerer,
  rootsCapability,
  rootsNotice,
  rootsRequest,
} from './rootsAnswerer.ts';
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

/** What the client says that it has; until then, nothing is known to be in common. */
class ClientRoots {
  uris: readonly string[] = [];
  private asked: RequestId | undefined;
  private tell: () => void = () => {};
  /** Settles when the client has said it for the first time. */
  readonly known = new Promise<void>(resolve => {
    this.tell = resolve;
  });
  isKnown = false;

  /** @param id of the last request for them: what comes to an earlier one is out of date. */
  expect(id: RequestId): void {
    this.asked = id;
  }

  /** Takes the answer to that request. */
  take(response: JSONRPCResponse): boolean {
    if (response.id !== this.asked) {
      return false;
    }
    this.set('result' in response ? response.result : undefined);
    return true;
  }

  set(result: unknown): void {
    const { roots } = Object(result);
    this.uris = Array.isArray(roots)
      ? roots.flatMap(root => (typeof Object(root).uri === 'string' ? [Object(root).uri] : []))
      : [];
    this.isKnown = true;
    this.tell();
  }
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
  /** What the server may see, as far as the client has it, too. */
  private roots: readonly Root[];
  /** The roots of a client that has such; `undefined`: it has none, and narrows nothing. */
  private clientRoots: ClientRoots | undefined;
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
    this.roots = roots ?? [];
    const client = {
      getProtocolEra: () => this.era,
      notification: async ({ method }: { readonly method: string }) => this.notify(method),
    };
    this.answerer = new RootsAnswerer(client, roots, host.times ?? defaultTimes, () =>
      this.lookAgain(),
    );
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
    this.roots = roots;
    this.tellRoots();
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

  private tellRoots(): void {
    const { clientRoots, roots } = this;
    this.settling.renew();
    this.answerer.setRoots(clientRoots ? commonRoots(roots, clientRoots.uris) : roots);
  }

  /** Before the client has said which roots it has, none is known that both have. */
  private lookAgain(): Promise<void> | undefined {
    const looking = this.host.lookAgain();
    const { clientRoots } = this;
    return clientRoots?.isKnown === false
      ? Promise.all([looking, clientRoots.known]).then(() => {})
      : looking;
  }

  /** Only a client that declares roots has any: some answer a request for them with none all the same. */
  private follow(capabilities: unknown): void {
    const has = this.isOffered && Object(capabilities).roots !== undefined;
    this.clientRoots = has ? (this.clientRoots ?? new ClientRoots()) : undefined;
  }

  private askClient(): void {
    const id = this.newId();
    this.clientRoots?.expect(id);
    this.write({ jsonrpc: '2.0', id, method: rootsRequest }, undefined);
  }

  /** An answer that no question waits for goes no further: it may be to one of an earlier process. */
  private takeAnswer(response: JSONRPCResponse, line: Buffer): void {
    if (this.clientRoots?.take(response)) {
      this.tellRoots();
    } else if (response.id !== undefined && this.questions.delete(response.id)) {
      this.send(response, line);
    }
  }

  private takeRequest(request: JSONRPCRequest, line: Buffer): void {
    const { id, method } = request;
    const open: Open = { request, sentAs: undefined };
    this.open.set(id, open);
    if (method === 'initialize') {
      this.client = clientIn(request.params?.['clientInfo']);
      this.follow(request.params?.['capabilities']);
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
    if (method === rootsNotice) {
      // The server hears of it when it changes what both have.
      if (this.clientRoots) {
        this.askClient();
      }
      return;
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
      if (this.clientRoots) {
        this.askClient();
      }
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
    const { id, method, params = {} } = open.request;
    const meta = Object(params['_meta']);
    this.client = clientIn(meta[CLIENT_INFO_META_KEY]);
    this.follow(meta[CLIENT_CAPABILITIES_META_KEY]);
    if (method === 'server/discover') {
      this.pass(open, offering(open.request, this.isOffered));
      return;
    }
    const request = this.clientRoots ? this.withoutRoots(open.request) : open.request;
    if (!request) {
      const inputRequests = { [clientRootsKey]: { method: rootsRequest } };
      const requestState = askedState(params['requestState']);
      const result = { resultType: 'input_required', inputRequests, requestState };
      this.respond(open, { jsonrpc: '2.0', id, result });
      return;
    }
    const sent = offering(request, this.isOffered);
    await (method === 'tools/call'
      ? this.passCall(open, () => void this.repeat(open, sent))
      : this.repeat(open, sent));
  }

  /**
   * The request without the client's answer to our question for its roots; `undefined`: it was not asked
   * yet. (2026-07-28, client/roots: roots are asked for within each request.)
   */
  private withoutRoots(request: JSONRPCRequest): JSONRPCRequest | undefined {
    const { params = {} } = request;
    const { requestState, inputResponses, ...rest } = params;
    const { [clientRootsKey]: told, ...responses } = Object(inputResponses) as Json;
    if (told === undefined) {
      // A later round, in which the server's own questions are answered.
      return continuationOf(requestState) === undefined ? undefined : request;
    }
    this.clientRoots?.set(told);
    this.tellRoots();
    const state = stateIn(requestState);
    return {
      ...request,
      params: {
        ...rest,
        ...(Object.keys(responses).length > 0 && { inputResponses: responses }),
        ...(state !== undefined && { requestState: state }),
      },
    };
  }

  /** Sends a modern request, again and again while only roots are asked for. */
  private async repeat(open: Open, { id, method, params = {} }: JSONRPCRequest): Promise<void> {
    const { inputResponses, requestState, ...own } = params;
    const continuation = continuationOf(requestState) ?? noContinuation;
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
    this.host.write(line ? withLineEnd(line) : `${JSON.stringify(message)}\n`);
  }
}

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

/** Under which the client is asked for its own roots. */
const clientRootsKey = 'mcp-roots';

/** The state of our own question, which holds what the client had from the server. */
function askedState(state: unknown): string {
  return JSON.stringify({ asked: true, ...(typeof state === 'string' && { state }) });
}

function stateIn(text: unknown): string | undefined {
  const { asked, state } = Object(parsed(text));
  return asked === true && typeof state === 'string' ? state : undefined;
}

/** The state that a question of the server went out with, behind ours; any other is of none. */
function continuationOf(text: unknown): string | undefined {
  return typeof text === 'string' && Array.isArray(Object(parsed(text)).roots) ? text : undefined;
}

const noContinuation = '{"roots":[]}';

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // Some state of somebody else's.
  }
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
