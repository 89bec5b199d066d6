import type { CallToolResult, Implementation, Tool } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { longestTimer } from '../base/pausableTimer.ts';
import { HumanError } from '../domain/errors.ts';
import type { Era } from '../domain/exposure.ts';
import type { LogLevel } from '../domain/logLevels.ts';
import type { Root } from '../domain/roots.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import type { ServerEnding } from '../domain/servers/serverFaults.ts';
import { type Failure, messageOf } from './failure.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { openWire, type Target } from './openWire.ts';
import type { Answer } from './rootsAnswerer.ts';
import type { ServerLogEntry } from './serverMessages.ts';
import { Session } from './session.ts';
import { type ConnectionTimes, defaultTimes } from './times.ts';
import type { Traffic } from './wire.ts';
import { withRedactedErrors } from './withRedactedErrors.ts';

/** What a server offers and answers, in the words of the SDK. */
export type { CallToolResult, Tool };

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

/** How to call a tool. It may take as long as it takes; the signal ends it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
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
  | { readonly failure: Failure };

/** One server: starts or reaches it, serves it its roots, and ends it. */
export class ServerConnection {
  private readonly clientInfo: Implementation;
  private readonly times: ConnectionTimes;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didServeRoots = new Emitter<Answer>();
  private readonly didPass = new Emitter<Traffic>();
  private readonly didWriteStderr = new Emitter<string>();
  private readonly didNeglect = new Emitter<boolean>();
  private readonly didLog = new Emitter<ServerLogEntry>();
  private readonly didChangeTools = new Emitter<void>();
  private current: ConnectionState = { kind: 'stopped' };
  /** Set as long as there may be something to end. */
  private session: Session | undefined;
  private starting: Start | undefined;
  private stopping: Promise<void> | undefined;
  /** Remembered, so that a server that cannot bear the probe is spared it from then on. */
  private isLegacy = false;
  private level: LogLevel = 'info';
  /** What the server was started with last, and what has come to it since. */
  private secrets = new KnownSecrets();
  /** What the server may see; `undefined` while it is offered no roots capability. */
  private roots: readonly Root[] | undefined;

  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  /** The server was handed roots. */
  readonly onDidServeRoots: Event<Answer> = this.didServeRoots.event;
  /** Every message in both directions, and every line from the server that was none. */
  readonly onDidPass: Event<Traffic> = this.didPass.event;
  readonly onDidWriteStderr: Event<string> = this.didWriteStderr.event;
  /** Whether the server goes on with roots that were changed since it asked; see `RootsAnswerer`. */
  readonly onDidNeglect: Event<boolean> = this.didNeglect.event;
  /** What the server says about its work. */
  readonly onDidLog: Event<ServerLogEntry> = this.didLog.event;
  /** The server says that it has other tools now; see `RequestedNews`. */
  readonly onDidChangeTools: Event<void> = this.didChangeTools.event;

  constructor(clientInfo: Implementation, times: ConnectionTimes = defaultTimes) {
    this.clientInfo = clientInfo;
    this.times = times;
  }

  get state(): ConnectionState {
    return this.current;
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
    const callOff = new AbortController();
    const outcome = this.launch({ target, protocol }, callOff.signal);
    this.roots = roots;
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
  async callTool({ name, arguments: args, signal }: ToolCall): Promise<CallToolResult> {
    const { answerer, news } = this.running();
    // Some tools take their time, and who waits can cancel.
    const options = { timeout: longestTimer, ...(signal && { signal }) };
    const call = { name, arguments: { ...args }, ...news.callExtras };
    return withRedactedErrors(answerer.callTool(call, options), this.secrets);
  }

  private running(): Session {
    if (!this.session || this.current.kind !== 'running') {
      throw new HumanError('The server is not running. Start it first.');
    }
    return this.session;
  }

  private async launch(choice: Choice, calledOff: AbortSignal): Promise<ConnectionState> {
    await this.stopping;
    if (calledOff.aborted) {
      return { kind: 'stopped' };
    }
    this.secrets = new KnownSecrets(choice.target.secrets);
    const isOpen = choice.protocol === 'auto';
    let attempt = isOpen && this.isLegacy ? { ...choice, protocol: 'legacy' as const } : choice;
    let opened = await this.open(attempt);
    if (opened.failure?.kind === 'ended' && attempt.protocol === 'auto' && !calledOff.aborted) {
      // Some servers exit when the first message is not `initialize`.
      attempt = { ...choice, protocol: 'legacy' };
      opened = await this.open(attempt);
    }
    if (calledOff.aborted) {
      return { kind: 'stopped' };
    }
    this.starting = undefined;
    this.isLegacy = isOpen && !opened.failure && attempt.protocol === 'legacy';
    const { failure } = opened;
    const state = failure ? ({ kind: 'failed', failure } as const) : this.watch(opened.session);
    this.enter(state);
    return state;
  }

  private async open(choice: Choice): Promise<Opened> {
    let session: Session;
    try {
      session = this.newSession(choice);
    } catch (error) {
      // Some command lines no process can have: an empty name, a NUL, too many bytes.
      const message = this.secrets.redacted(messageOf(error));
      return { failure: { kind: 'not-started', message } };
    }
    const failure = await session.open();
    if (!failure) {
      return { session };
    }
    await session.close();
    if (this.session === session) {
      this.session = undefined;
    }
    return { failure };
  }

  private newSession({ target, protocol }: Choice): Session {
    const { clientInfo, times, roots, level, secrets } = this;
    const wire = openWire(target, secrets, times);
    const session = new Session({ clientInfo, wire, roots, protocol, level, secrets, times });
    this.session = session;
    wire.onDidWriteStderr?.(line => this.didWriteStderr.fire(line));
    wire.onDidPass(traffic => this.didPass.fire(traffic));
    session.answerer.onDidAnswer(answer => this.didServeRoots.fire(answer));
    session.answerer.onDidNeglect(isNeglecting => this.didNeglect.fire(isNeglecting));
    session.messages.onDidLog(entry => this.didLog.fire(entry));
    session.news.onDidChangeTools(() => this.didChangeTools.fire());
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
