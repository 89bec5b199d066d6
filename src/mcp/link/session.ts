import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  type GetPromptResult,
  type Implementation,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  type ReadResourceResult,
} from '@modelcontextprotocol/client';
import { eitherSignal } from '../../base/abortSignals.ts';
import { afterReal } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LogLevel } from '../../domain/logLevels.ts';
import type { Progress } from '../../domain/progress.ts';
import type { Root } from '../../domain/roots.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import { jsonRpcError } from '../process/failure.ts';
import type { KnownSecrets } from '../process/knownSecrets.ts';
import { openWire, type Target } from '../process/openWire.ts';
import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import { type ConnectionTimes, defaultTimes } from '../process/times.ts';
import type { Reply, Traffic, Wire } from '../process/wire.ts';
import { DirectRequests } from './directRequests.ts';
import {
  type AskedRequest,
  type ForwardedRequest,
  type InputAnswers,
  type InputRequests,
  withoutAnswers,
  withoutHop,
  withoutMark,
} from './forwarding.ts';
import { Handshake, type Negotiation } from './handshake.ts';
import { InputRounds } from './inputRounds.ts';
import { type lists, readList } from './lists.ts';
import { mendedResult } from './mendedResults.ts';
import { type ClientRelay, offeredMethods, RelayedRequests } from './relayedRequests.ts';
import {
  type LookAgain,
  type RootsAnswer,
  RootsAnswerer,
  rootsCapability,
} from './rootsAnswerer.ts';
import { isLogMessage, type ServerLogEntry, ServerMessages } from './serverMessages.ts';

/** What sessions need from their owner: the editor or the hub. */
export interface SessionHost {
  readonly clientInfo: Implementation;
  readonly owner: ProcessOwner;
  /** The time limits. Left out: the limits for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  /** Answers the server's requests that are not for roots. Left out: the server may make none. */
  readonly relay?: ClientRelay | undefined;
  /** Runs before each answer with roots, and may set other roots. Left out: they need no check. */
  readonly lookAgain?: LookAgain | undefined;
}

/** The server of a session, and the terms of the session. */
export interface SessionStart {
  readonly target: Target;
  /** The roots that the server may see. `undefined`: the server is offered no roots. */
  readonly roots: readonly Root[] | undefined;
  readonly negotiation: Negotiation;
  /** The least level of the server's log messages. `undefined`: the server is not asked for them. */
  readonly level: LogLevel | undefined;
  /** The secrets that the server was given. The tokens of a sign-in are added. */
  readonly secrets: KnownSecrets;
}

/** A process of a server. */
export interface StartedProcess {
  /** The id of the process, which is also the id of its process group, where the system has groups. */
  readonly pid: number;
  /** Settles when the process and all that it started have ended. Never rejects. */
  readonly ended: Promise<unknown>;
}

/** The events of a session, from before its handshake until its end. */
export type SessionEvents = Pick<
  Session,
  | 'process'
  | 'onDidPass'
  | 'onDidAsk'
  | 'onDidWriteStderr'
  | 'onDidServeRoots'
  | 'onDidNeglect'
  | 'onDidLog'
  | 'onDidChangeList'
>;

interface OwnResults {
  readonly 'tools/call': CallToolResult;
  readonly 'resources/read': ReadResourceResult;
  readonly 'prompts/get': GetPromptResult;
}

export type OwnMethod = keyof OwnResults;
export type OwnResult<M extends OwnMethod> = OwnResults[M];

/** Options of a request. No time limit applies. An aborted signal cancels the request. */
export interface OwnOptions {
  readonly signal?: AbortSignal;
  /** Receives the server's progress. Left out: the server is not asked to report its progress. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface ToolCall extends OwnOptions {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The kinds of things that a server lists. */
export type Listed = (typeof listed)[number];

const listed = ['tools', 'resources', 'prompts'] as const;

/** Time limit for a server to give all pages of a list, in milliseconds. */
const longestListing = 60_000;

/** One session with a server, over its own wire. Call `open` once. */
export class Session {
  readonly wire: Wire;
  readonly client: Client;
  readonly handshake: Handshake;
  readonly answerer: RootsAnswerer;
  readonly news: RequestedNews;
  /** The server's process. `undefined`: there is none, as over HTTP, or it could not be started. */
  readonly process: StartedProcess | undefined;
  /** Every message in both directions, and every line from the server that was not a message. */
  readonly onDidPass: Event<Traffic>;
  /** Each line of the standard error of a process; `undefined` without a process. */
  readonly onDidWriteStderr: Event<string> | undefined;
  readonly onDidServeRoots: Event<RootsAnswer>;
  /** Fires `true` when the server goes on with old roots, and later `false`: see `RootsAnswerer`. */
  readonly onDidNeglect: Event<boolean>;
  readonly onDidLog: Event<ServerLogEntry>;
  /** Fires when the server says that a list has changed. The rate is not limited. */
  readonly onDidChangeList: Event<Listed>;
  private readonly didAsk = new Emitter<AskedRequest>();
  /** Fires for each request that is sent for a person or another client. */
  readonly onDidAsk: Event<AskedRequest> = this.didAsk.event;
  private readonly messages: ServerMessages;
  private readonly direct: DirectRequests;
  private readonly rounds: InputRounds;
  private readonly relayed: RelayedRequests;
  private readonly relay: ClientRelay | undefined;

  /** @throws when the system refuses the command line, or an address or header is not valid. */
  constructor(host: SessionHost, start: SessionStart) {
    const { target, roots, negotiation, level, secrets } = start;
    const { clientInfo, owner, relay, lookAgain, times = defaultTimes } = host;
    const capabilities = capabilitiesOf(roots, relay);
    const mayDownload = 'env' in target && target.mayDownload;
    const patience = mayDownload ? times.download : times.handshake;
    const wire = openWire(target, owner, secrets, times);
    this.wire = wire;
    this.handshake = new Handshake(wire, negotiation, { probe: times.probe, handshake: patience });
    const client = new Client(clientInfo, {
      ...this.handshake.options,
      capabilities,
      // `InputRounds` does this instead: the SDK does not tell which tool asked.
      inputRequired: { autoFulfill: false },
    });
    this.client = client;
    this.answerer = new RootsAnswerer(client, roots, times, lookAgain);
    this.messages = new ServerMessages(wire, secrets);
    this.news = new RequestedNews(client, level);
    this.relay = relay;
    this.relayed = new RelayedRequests(client, relay);
    this.direct = new DirectRequests(wire, client, clientInfo, capabilities);
    const offered = offeredMethods(relay);
    this.rounds = new InputRounds(client, this.answerer, method => offered.has(method));
    this.process = wire.pid ? { pid: wire.pid, ended: wire.ended } : undefined;
    this.onDidPass = wire.onDidPass;
    this.onDidWriteStderr = wire.onDidWriteStderr;
    this.onDidServeRoots = this.answerer.onDidAnswer;
    this.onDidNeglect = this.answerer.onDidNeglect;
    this.onDidLog = this.messages.onDidLog;
    this.onDidChangeList = this.news.onDidChangeList;
    wire.take = (message, reply) => this.take(message, reply);
    void wire.ended.then(() => this.dispose());
  }

  /** Shakes hands. Resolves to the failure, if any. Close the session after a failure, too. */
  async open(): Promise<Failure | undefined> {
    const failure = await this.handshake.run(this.client);
    if (!failure) {
      this.news.request();
    }
    return failure;
  }

  /**
   * Sends a request of the person at the editor. The relay asks the person what the server asks.
   *
   * @throws as {@link forward}.
   */
  async request<M extends OwnMethod>(
    method: M,
    own: Readonly<Record<string, unknown>>,
    options: OwnOptions = {},
  ): Promise<OwnResult<M>> {
    const params = { ...own, ...this.news.callExtras };
    return (await this.forward({ ...options, method, params })) as OwnResult<M>;
  }

  /** The whole list; empty when the server does not declare the list. Faults of the list are logged. */
  async list(kind: keyof typeof lists): Promise<readonly unknown[]> {
    const capability = kind === 'resourceTemplates' ? 'resources' : kind;
    if (!this.client.getServerCapabilities()?.[capability]) {
      return [];
    }
    const forward = (request: ForwardedRequest) => this.forward(request);
    const { entries, remark } = await readList(kind, forward, afterReal, longestListing);
    if (remark !== undefined) {
      this.messages.report(remark);
    }
    return entries;
  }

  /**
   * Sends a request on behalf of another client, in this turn of the event loop. Returns the
   * result, with parts that break the protocol's form mended.
   *
   * @throws {ProtocolError} the server's own error.
   * @throws {HumanError} when the server asks for something that it was not offered, or keeps
   * asking, or when an answer holds roots.
   */
  forward(request: ForwardedRequest): Promise<JsonObject> {
    const result = this.run(request);
    const ended = result.then(
      result => ({ result }),
      error => ({ error: jsonRpcError(error) }),
    );
    this.didAsk.fire({ ...request, ended });
    return result;
  }

  private async run({ params, answer, ...request }: ForwardedRequest): Promise<JsonObject> {
    const { client, direct, rounds, relay } = this;
    const { signal } = request;
    const result = await rounds.runToEnd(
      {
        ...request,
        params: withoutAnswers(withoutHop(params)),
        send: sent => direct.send({ ...request, params: sent }),
      },
      questions => answersTo(questions, answer ? { answer } : relay, signal),
    );
    return mendedResult(request.method, withoutMark(result, client.getProtocolEra()));
  }

  /** Ends the server's process, or our session with a server over HTTP. Settles after the end. */
  async close(): Promise<void> {
    this.dispose();
    await this.wire.close();
  }

  /** Takes a message that must not reach the SDK's client. `false`: the client gets the message. */
  private take(message: JSONRPCMessage, reply: Reply): boolean {
    const { answerer, relayed, direct } = this;
    return 'method' in message && 'id' in message
      ? answerer.takeRequest(message, reply) || relayed.takeRequest(message, reply)
      : isLogMessage(message) || direct.take(message) || relayed.takeNotice(message);
  }

  private dispose(): void {
    this.answerer.dispose();
    this.relayed.dispose();
    this.messages.dispose();
    this.news.dispose();
  }
}

/** The relay's answers to questions, by their names. If one fails, the others are cancelled. */
async function answersTo(
  questions: InputRequests,
  relay: Pick<ClientRelay, 'answer'> | undefined,
  callOff = new AbortController().signal,
): Promise<InputAnswers['responses']> {
  const end = new AbortController();
  const { signal, dispose } = eitherSignal(callOff, end.signal);
  try {
    const answers = Object.entries(questions).map(async ([name, { method, params }]) => [
      name,
      await relay?.answer({ method, params: Object(params) }, signal),
    ]);
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    end.abort(error);
    throw error;
  } finally {
    dispose();
  }
}

/** The capabilities to offer to the server. Its requests beyond them fail as unknown methods. */
function capabilitiesOf(
  roots: readonly Root[] | undefined,
  relay: ClientRelay | undefined,
): ClientCapabilities {
  const { elicitation, sampling } = (relay?.capabilities ?? {}) as ClientCapabilities;
  return {
    ...(roots && rootsCapability),
    ...(elicitation && { elicitation }),
    ...(sampling && { sampling }),
  };
}

/** Asks one server for its log and for notices of changed lists, and passes these notices on. */
class RequestedNews {
  private readonly client: Client;
  private readonly didChangeList = new Emitter<Listed>();
  /** Aborted when nobody listens any more, so that nobody waits for a server that never answers. */
  private readonly end = new AbortController();
  private level: LogLevel | undefined;

  readonly onDidChangeList = this.didChangeList.event;

  /** @param level as in {@link SessionStart}. */
  constructor(client: Client, level: LogLevel | undefined) {
    this.client = client;
    this.level = level;
    for (const what of listed) {
      const notice = `notifications/${what}/list_changed` as const;
      client.setNotificationHandler(notice, () => this.didChangeList.fire(what));
    }
  }

  /** Metadata for each request: a modern server is asked for its log with every call. */
  get callExtras(): { readonly _meta?: Readonly<Record<string, unknown>> } {
    return this.isModern && this.level ? { _meta: { [LOG_LEVEL_META_KEY]: this.level } } : {};
  }

  /** Asks the server for its log and notices. Call it once, after the handshake. */
  request(): void {
    this.requestLevel();
    const capabilities = this.client.getServerCapabilities();
    const told = listed.filter(what => capabilities?.[what]?.listChanged);
    if (this.isModern && told.length > 0) {
      const filter = Object.fromEntries(told.map(what => [`${what}ListChanged`, true]));
      // Without notices, a list is read again when it is needed. So a refusal is harmless.
      this.client.listen(filter, { signal: this.end.signal }).catch(() => {});
    }
  }

  setLevel(level: LogLevel): void {
    if (level !== this.level) {
      this.level = level;
      this.requestLevel();
    }
  }

  dispose(): void {
    this.end.abort();
    this.didChangeList.dispose();
  }

  /** Asks a legacy server for its log. A modern server gets the level with each call instead. */
  private requestLevel(): void {
    const { client, level } = this;
    if (level && client.getProtocolEra() === 'legacy' && client.getServerCapabilities()?.logging) {
      // A server that refuses this level logs at its own level. All its messages are then written.
      client.setLoggingLevel(level).catch(() => {});
    }
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }
}
