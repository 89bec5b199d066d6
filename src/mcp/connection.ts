import type { CallToolResult, Implementation, Tool } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { HumanError } from '../domain/errors.ts';
import type { Era } from '../domain/exposure.ts';
import type { Root } from '../domain/roots.ts';
import type { Answer } from './rootsAnswerer.ts';
import type { ProcessStart } from './serverProcess.ts';
import { type Failure, messageOf, Session, toFailure } from './session.ts';
import type { Traffic } from './stdioTransport.ts';
import { type ConnectionTimes, defaultTimes } from './times.ts';

/** What a server offers and answers, in the words of the SDK. */
export type { CallToolResult, Tool };

/** Where a connection to a server stands. */
export type ConnectionState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly era: Era;
      /** The negotiated revision, such as `2025-11-25`. */
      readonly protocolVersion: string;
      readonly pid: number | undefined;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** As long as a timer can run, in milliseconds: some tools take their time, and who waits can cancel. */
const longestTimer = 2 ** 31 - 1;

/** How to call a tool. It may take as long as it takes; the signal ends it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** A start that is under way, and the means to call it off. */
interface Start {
  readonly outcome: Promise<ConnectionState>;
  readonly callOff: AbortController;
}

/** What became of a process that was started: a conversation, or a failure and nothing left of it. */
type Opened =
  | { readonly session: Session; readonly failure?: undefined }
  | { readonly failure: Failure };

/** One server at the other end of a pipe: starts it, serves it its roots, and ends it. */
export class ServerConnection {
  private readonly clientInfo: Implementation;
  private readonly times: ConnectionTimes;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didServeRoots = new Emitter<Answer>();
  private readonly didPass = new Emitter<Traffic>();
  private readonly didWriteStderr = new Emitter<string>();
  private current: ConnectionState = { kind: 'stopped' };
  /** Set as long as there may be a process. */
  private session: Session | undefined;
  private starting: Start | undefined;
  private stopping: Promise<void> | undefined;
  /** Remembered, so that a server that cannot bear the probe is spared it from then on. */
  private knownEra: 'legacy' | undefined;
  /** What the server may see; `undefined` while it is offered no roots capability. */
  private roots: readonly Root[] | undefined;

  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  /** The server was handed roots. */
  readonly onDidServeRoots: Event<Answer> = this.didServeRoots.event;
  /** Every message in both directions, and every line from the server that was none. */
  readonly onDidPass: Event<Traffic> = this.didPass.event;
  readonly onDidWriteStderr: Event<string> = this.didWriteStderr.event;

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
  start(process: ProcessStart, roots: readonly Root[] | undefined): Promise<ConnectionState> {
    if (this.current.kind === 'running') {
      return Promise.resolve(this.current);
    }
    if (this.starting) {
      return this.starting.outcome;
    }
    const callOff = new AbortController();
    const outcome = this.launch(process, callOff.signal);
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
    this.session?.process.kill();
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

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    const { tools } = await this.running().client.listTools();
    return tools;
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  async callTool({ name, arguments: args, signal }: ToolCall): Promise<CallToolResult> {
    const { answerer } = this.running();
    const options = { timeout: longestTimer, ...(signal && { signal }) };
    return answerer.callTool({ name, arguments: { ...args } }, options);
  }

  private running(): Session {
    if (!this.session || this.current.kind !== 'running') {
      throw new HumanError('The server is not running. Start it first.');
    }
    return this.session;
  }

  private async launch(process: ProcessStart, calledOff: AbortSignal): Promise<ConnectionState> {
    await this.stopping;
    if (calledOff.aborted) {
      return { kind: 'stopped' };
    }
    let era = this.knownEra;
    let opened = await this.open(process, era);
    if (opened.failure?.kind === 'ended' && !era && !calledOff.aborted) {
      // Some servers exit when the first message is not `initialize`.
      era = 'legacy';
      opened = await this.open(process, era);
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

  private async open(process: ProcessStart, era: 'legacy' | undefined): Promise<Opened> {
    let session: Session;
    try {
      session = this.newSession(process, era);
    } catch (error) {
      // Some command lines no process can have: an empty name, a NUL, too many bytes.
      return { failure: { kind: 'not-started', message: messageOf(error) } };
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

  private newSession(process: ProcessStart, era: 'legacy' | undefined): Session {
    const { clientInfo, times, roots } = this;
    const session = new Session({ clientInfo, process, roots, era, times });
    this.session = session;
    session.process.onDidWriteStderr(line => this.didWriteStderr.fire(line));
    session.transport.onDidPass(traffic => this.didPass.fire(traffic));
    session.answerer.onDidAnswer(answer => this.didServeRoots.fire(answer));
    return session;
  }

  /** The state of a session that has just opened; its end is a failure unless it was asked for. */
  private watch(session: Session): ConnectionState {
    void session.process.ended.then(end => {
      session.answerer.dispose();
      if (this.session === session && !this.stopping) {
        this.session = undefined;
        this.enter({ kind: 'failed', failure: toFailure(end) });
      }
    });
    return {
      kind: 'running',
      era: session.client.getProtocolEra() ?? 'legacy',
      protocolVersion: session.client.getNegotiatedProtocolVersion() ?? '',
      pid: session.process.pid,
    };
  }

  private finishStop(): void {
    this.session = undefined;
    this.stopping = undefined;
    // Unless it is to start again, and waited for this.
    if (!this.starting) {
      this.enter({ kind: 'stopped' });
    }
  }

  private enter(state: ConnectionState): void {
    if (state.kind !== this.current.kind) {
      this.current = state;
      this.didChangeState.fire(state);
    }
  }
}
