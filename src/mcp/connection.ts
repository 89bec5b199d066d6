import type {
  CallToolResult,
  Implementation,
  ServerCapabilities,
  Tool,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { longestTimer } from '../base/timeLimit.ts';
import type { Era } from '../domain/exposure.ts';
import type { LogLevel } from '../domain/logLevels.ts';
import type { Root } from '../domain/roots.ts';
import { HumanError } from '../domain/sentence.ts';
import { downloadProblem } from '../domain/servers/failureSentence.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import type { ServerEnding } from '../domain/servers/serverFaults.ts';
import { type Failure, messageOf } from './failure.ts';
import type { Forwarded, ForwardedRequest } from './forwarding.ts';
import { KnownSecrets, withRedactedErrors } from './knownSecrets.ts';
import { openWire, type Target } from './openWire.ts';
import type { ClientRelay } from './relayedRequests.ts';
import type { Listed } from './requestedNews.ts';
import { Session, type SessionEvents, type ToolCall } from './session.ts';
import type { ProcessOwner } from './stdio/processOwner.ts';
import { type ConnectionTimes, defaultTimes } from './times.ts';

/** What a server offers and answers, in the words of the SDK. */
export type { CallToolResult, Listed, ServerCapabilities, Tool, ToolCall };

/** Where a connection to a server stands. */
export type ConnectionState =
  | {
      readonly kind: 'stopped';
      /** Set when a process was stopped and did not end as it should. */
      readonly ending?: ServerEnding;
    }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly era: Era;
      /** The negotiated revision, such as `2025-11-25`. */
      readonly protocolVersion: string;
      /** `undefined`: the server is reached over HTTP. */
      readonly pid: number | undefined;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** On whose behalf a connection is made, and who answers what the server asks. */
export interface ConnectionHost {
  readonly clientInfo: Implementation;
  /** Of the processes that are started. */
  readonly owner: ProcessOwner;
  /** Left out: those for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  /** Answers what the server asks for besides roots; left out: it is offered nothing else. */
  readonly relay?: ClientRelay | undefined;
  /** Comes before each answer with roots, and may set others; left out: what is set is always true. */
  lookAgain?(): Promise<void> | undefined;
}

/** What is started, and in which revision. */
interface Choice {
  readonly target: Target;
  readonly protocol: ProtocolChoice;
}

/** A start that is under way, and the means to call it off. */
interface Start {
  readonly outcome: Promise<ConnectionState>;
  readonly callOff: AbortController;
}

/** What became of an attempt: a conversation, or a failure and nothing left of it. */
type Opened =
  | { readonly session: Session; readonly failure?: undefined }
  | { readonly failure: Failure; readonly hasAnsweredLate: boolean };

/** One server: starts or reaches it, serves it its roots, and ends it. */
export class ServerConnection {
  private readonly host: ConnectionHost;
  private readonly times: ConnectionTimes;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didBegin = new Emitter<SessionEvents>();
  private current: ConnectionState = { kind: 'stopped' };
  /** Set as long as there may be something to end. */
  private session: Session | undefined;
  private starting: Start | undefined;
  private stopping: Promise<void> | undefined;
  /**
   * The era that was found out by a second process, so that from then on one will do: a legacy server
   * that cannot bear the probe is spared it, and a modern one that is slow to start gets its time.
   */
  private knownEra: Era | undefined;
  private level: LogLevel = 'info';
  /** What the server was started with last, and what has come to it since. */
  private secrets = new KnownSecrets();
  /** What the server may see; `undefined` while it is offered no roots capability. */
  private roots: readonly Root[] | undefined;

  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  /**
   * A session has begun, and with it a process where it takes one: before the handshake, which may
   * never end. One start may take two of them, one after the other.
   */
  readonly onDidBegin: Event<SessionEvents> = this.didBegin.event;

  constructor(host: ConnectionHost) {
    this.host = host;
    this.times = host.times ?? defaultTimes;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** What the server declared; `undefined` unless it is running. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.conversation?.client.getServerCapabilities();
  }

  /** What the server calls itself; `undefined` when it does not say, or is not running. */
  get serverInfo(): Implementation | undefined {
    return this.conversation?.client.getServerVersion();
  }

  /** How the server says that it is to be used; `undefined` when it does not, or is not running. */
  get instructions(): string | undefined {
    return this.conversation?.client.getInstructions();
  }

  /**
   * Starts the server and shakes hands; settles in the state that this leads to and never rejects.
   * A call during a start joins it, one during a stop waits for it; a running server stays as it is.
   *
   * @param roots what the server may see, or `undefined` to offer it no roots capability.
   */
  start(
    target: Target,
    roots: readonly Root[] | undefined,
    protocol: ProtocolChoice = 'auto',
  ): Promise<ConnectionState> {
    if (this.current.kind === 'running') {
      return Promise.resolve(this.current);
    }
    if (this.starting) {
      return this.starting.outcome;
    }
    this.roots = roots;
    const callOff = new AbortController();
    const outcome = this.launch({ target, protocol }, callOff.signal);
    this.starting = { outcome, callOff };
    this.enter({ kind: 'starting' });
    return outcome;
  }

  /**
   * Ends the server and all that it started, and calls off a start that is under way.
   * Settles when nothing is left; never rejects.
   */
  async stop(): Promise<void> {
    this.starting?.callOff.abort();
    this.starting = undefined;
    this.stopping ??= this.session?.close().then(() => this.finishStop());
    this.enter({ kind: this.session ? 'stopping' : 'stopped' });
    await this.stopping;
  }

  /** Kills the server at once. For the last moment of our own process. */
  kill(): void {
    this.session?.wire.kill();
    void this.stop();
  }

  /** Sets what the server is told from now on. Has no effect on one that was offered no roots. */
  setRoots(roots: readonly Root[]): void {
    if (this.roots) {
      // Kept here too: a start that still waits for an earlier stop must not offer what was revoked.
      this.roots = roots;
      this.session?.answerer.setRoots(roots);
    }
  }

  /** Sets the least level of the log messages that the server is asked for; at first it is `info`. */
  setLogLevel(level: LogLevel): void {
    this.level = level;
    this.session?.news.setLevel(level);
  }

  /** The text without what nobody may read who reads what the server says: its keys and tokens. */
  redacted(text: string): string {
    return this.secrets.redacted(text);
  }

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    const listing = this.running().client.listTools();
    return (await withRedactedErrors(listing, this.secrets)).tools;
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  async callTool(call: ToolCall): Promise<CallToolResult> {
    return withRedactedErrors(this.running().callTool(call), this.secrets);
  }

  /**
   * Sends a running server a request of somebody else, in the same turn, and answers with what comes
   * of it: the result as it came, or questions. The signal ends it; nothing else but the server does.
   *
   * @throws {ProtocolError} the server's own error, with its code, message and data but no secret.
   * @throws {HumanError} when the server is not running or asks for what it was not offered, or the
   *   answers that it is to be sent are none.
   */
  async forward(request: ForwardedRequest): Promise<Forwarded> {
    return withRedactedErrors(this.running().forward(request), this.secrets);
  }

  /** The session, if it is open. */
  private get conversation(): Session | undefined {
    return this.current.kind === 'running' ? this.session : undefined;
  }

  private running(): Session {
    if (!this.conversation) {
      throw new HumanError('The server is not running. Start it first.');
    }
    return this.conversation;
  }

  private async launch(choice: Choice, calledOff: AbortSignal): Promise<ConnectionState> {
    await this.stopping;
    if (calledOff.aborted) {
      return { kind: 'stopped' };
    }
    this.secrets = new KnownSecrets(choice.target.secrets);
    const isAuto = choice.protocol === 'auto';
    let era = isAuto ? this.firstEra(choice.target) : undefined;
    let opened = await this.open(choice, era);
    if (opened.failure && isAuto && !era && !calledOff.aborted) {
      era = eraToTry(opened);
      opened = era ? await this.open(choice, era) : opened;
    }
    if (calledOff.aborted) {
      return { kind: 'stopped' };
    }
    this.starting = undefined;
    this.knownEra = opened.failure ? undefined : era;
    const { failure } = opened;
    const state = failure ? ({ kind: 'failed', failure } as const) : this.watch(opened.session);
    this.enter(state);
    return state;
  }

  /** The era to start in; `undefined`: it is to be found out. */
  private firstEra(target: Target): Era | undefined {
    // The newest revision does not travel by the older HTTP, where nobody might answer the probe.
    return 'transport' in target && target.transport === 'sse' ? 'legacy' : this.knownEra;
  }

  /** @param era what is known of it; `undefined`: it is to be found out. */
  private async open(choice: Choice, era: Era | undefined): Promise<Opened> {
    let session: Session;
    try {
      session = this.newSession(choice, era);
    } catch (error) {
      // Some command lines no process can have: an empty name, a NUL, too many bytes.
      const message = this.secrets.redacted(messageOf(error));
      return { failure: { kind: 'not-started', message }, hasAnsweredLate: false };
    }
    const failure = await session.open();
    if (!failure) {
      return { session };
    }
    await session.close();
    if (this.session === session) {
      this.session = undefined;
    }
    return { failure, hasAnsweredLate: session.hasAnsweredLate };
  }

  private newSession({ target, protocol }: Choice, era: Era | undefined): Session {
    const { host, times, roots, level, secrets } = this;
    const wire = openWire(target, host.owner, secrets, times);
    // Silence says nothing of the era over HTTP, where the era is chosen, and where it is known.
    const isTelling = wire.kind === 'process' && protocol === 'auto' && era !== 'modern';
    const session = new Session({
      clientInfo: host.clientInfo,
      wire,
      roots,
      look: host.lookAgain && (() => host.lookAgain?.()),
      relay: host.relay,
      level,
      secrets,
      times,
      protocol: era === 'legacy' ? era : protocol,
      probe: isTelling ? times.probe : longestTimer,
      handshake: 'env' in target && target.mayDownload ? times.download : times.handshake,
    });
    this.session = session;
    this.didBegin.fire(session.events);
    return session;
  }

  /** The state of a session that has just opened; its end is a failure unless it was asked for. */
  private watch(session: Session): ConnectionState {
    session.news.request();
    void session.ended().then(failure => {
      session.dispose();
      if (this.session === session && !this.stopping) {
        this.session = undefined;
        this.enter({ kind: 'failed', failure });
      }
    });
    return {
      kind: 'running',
      era: session.client.getProtocolEra() ?? 'legacy',
      protocolVersion: session.client.getNegotiatedProtocolVersion() ?? '',
      pid: session.wire.pid ?? undefined,
    };
  }

  private finishStop(): void {
    const ending = this.session?.wire.ending;
    this.session = undefined;
    this.stopping = undefined;
    // Unless it is to start again, and waited for this.
    if (!this.starting) {
      this.enter({ kind: 'stopped', ...(ending && { ending }) });
    }
  }

  private enter(state: ConnectionState): void {
    if (state.kind !== this.current.kind) {
      this.current = state;
      this.didChangeState.fire(state);
    }
  }
}

/** The era in which a server is worth another process after a failure; `undefined`: none is. */
function eraToTry({ failure, hasAnsweredLate }: Extract<Opened, { failure: Failure }>) {
  if (hasAnsweredLate) {
    // It was not there yet when the probe was given up: it may have been downloaded first.
    return 'modern';
  }
  // Some servers exit when the first message is not `initialize`. A download fails for other reasons.
  return failure.kind === 'ended' && !downloadProblem(failure.end) ? 'legacy' : undefined;
}
