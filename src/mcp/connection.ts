import type { CallToolResult, Implementation, Tool } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { HumanError } from '../domain/errors.ts';
import type { Era } from '../domain/exposure.ts';
import type { Root } from '../domain/roots.ts';
import type { Answer } from './rootsAnswerer.ts';
import type { ProcessStart } from './serverProcess.ts';
import { type Failure, Session, toFailure } from './session.ts';
import type { Traffic } from './stdioTransport.ts';
import { type ConnectionTimes, defaultTimes } from './times.ts';

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

/** How to call a tool. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** One server at the other end of a pipe: starts it, serves it its roots, and ends it. */
export class ServerConnection {
  private readonly clientInfo: Implementation;
  private readonly times: ConnectionTimes;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didServeRoots = new Emitter<Answer>();
  private readonly didPass = new Emitter<Traffic>();
  private readonly didWriteStderr = new Emitter<string>();
  private current: ConnectionState = { kind: 'stopped' };
  private session: Session | undefined;
  private starting: Promise<ConnectionState> | undefined;
  private stopping: Promise<void> | undefined;
  /** Remembered, so that a server that cannot bear the probe is spared it from then on. */
  private knownEra: 'legacy' | undefined;

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
    this.starting ??= this.launch(process, roots).finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Ends the server and all that it started. Settles when nothing is left; never rejects. */
  stop(): Promise<void> {
    this.stopping ??= this.end().finally(() => {
      this.stopping = undefined;
    });
    return this.stopping;
  }

  /** Kills the server at once. For the last moment of our own process. */
  kill(): void {
    this.session?.process.kill();
  }

  /** Sets what the server is told from now on. Has no effect on one that was offered no roots. */
  setRoots(roots: readonly Root[]): void {
    this.session?.answerer.setRoots(roots);
  }

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    const { tools } = await this.running().client.listTools();
    return tools;
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  async callTool({ name, arguments: args, signal }: ToolCall): Promise<CallToolResult> {
    const { answerer } = this.running();
    return answerer.callTool({ name, arguments: { ...args } }, signal ? { signal } : {});
  }

  private running(): Session {
    if (!this.session || this.current.kind !== 'running') {
      throw new HumanError('The server is not running. Start it first.');
    }
    return this.session;
  }

  private async launch(
    process: ProcessStart,
    roots: readonly Root[] | undefined,
  ): Promise<ConnectionState> {
    await this.stopping;
    this.enter({ kind: 'starting' });
    let session = this.newSession(process, roots);
    let failure = await session.open();
    if (failure?.kind === 'ended' && !this.knownEra && this.isStarting()) {
      // Some servers exit when the first message is not `initialize`.
      this.knownEra = 'legacy';
      session = this.newSession(process, roots);
      failure = await session.open();
      this.knownEra = failure ? undefined : 'legacy';
    }
    if (failure) {
      await session.close();
    }
    if (this.isStarting()) {
      this.enter(failure ? { kind: 'failed', failure } : this.watch(session));
    }
    return this.current;
  }

  private isStarting(): boolean {
    return this.current.kind === 'starting';
  }

  private newSession(process: ProcessStart, roots: readonly Root[] | undefined): Session {
    const { clientInfo, times, knownEra: era } = this;
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
      if (this.session === session && this.current.kind === 'running') {
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

  private async end(): Promise<void> {
    if (this.current.kind === 'stopped') {
      return;
    }
    if (this.current.kind !== 'failed') {
      this.enter({ kind: 'stopping' });
      await this.session?.close();
      await this.starting;
    }
    this.session = undefined;
    this.enter({ kind: 'stopped' });
  }

  private enter(state: ConnectionState): void {
    this.current = state;
    this.didChangeState.fire(state);
  }
}
