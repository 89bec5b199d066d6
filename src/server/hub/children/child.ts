import { DisposableStore } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { LogLevel } from '../../../domain/logLevels.ts';
import { printable } from '../../../domain/printable.ts';
import type { RestartPlan } from '../../../domain/servers/restarts.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type {
  ConnectionState,
  Listed,
  ServerCapabilities,
  ServerConnection,
} from '../../../mcp/connection.ts';
import type { Forwarded, ForwardedRequest } from '../../../mcp/forwarding.ts';
import type { ServerLogEntry } from '../../../mcp/serverMessages.ts';
import type { After } from '../../after.ts';
import { isInPlace, type RootFolder } from '../../roots/rootFolders.ts';
import { Offerings } from '../expose/offerings.ts';
import { type Caller, CallsInFlight } from './callsInFlight.ts';
import { ChildGate } from './childGate.ts';
import { ChildNews } from './childNews.ts';
import { childError, failureText, planText } from './childProblem.ts';
import { ChildRun, type RunParts, type RunSubject } from './childRun.ts';
import { relayFor } from './relayFor.ts';
import { RootsIntake } from './rootsIntake.ts';

/** What became of a child, for whoever keeps a record of it. */
export interface ChildEvent {
  readonly server: string;
  /** Which instance of the server. */
  readonly child: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

/** The roots that a child was handed because it asked, as the URIs that it was told. */
export interface ChildExposure extends Pick<ChildEvent, 'server' | 'child'> {
  readonly roots: readonly string[];
}

/** What all children of a hub share. */
export interface ChildParts extends RunParts {
  readonly onChild: (event: ChildEvent, child: Child) => void;
  /** Is told of each change of each child. */
  readonly onChange?: (child: Child, what: ChildAspect) => void;
  /** Is told when a server was handed its roots. */
  readonly onExposure?: (exposure: ChildExposure) => void;
  /** Is told each line that a server writes to its standard error, without its secrets. */
  readonly onStderr?: (server: string, line: string) => void;
  readonly after: After;
  /** The children that may have a process. */
  readonly live: Set<Child>;
  /** The fingerprints of the servers that have asked something of a client. */
  readonly askers: Set<string>;
  readonly newId: () => string;
}

/** What one child is. */
export interface ChildSubject extends Omit<RunSubject, 'relay' | 'lookAgain'> {
  readonly capabilities: Caller['relay']['capabilities'];
}

/** What a server says of itself, as it came: it may be long, and hold any character. */
export interface SelfDescription {
  readonly title: string | undefined;
  readonly instructions: string | undefined;
}

/** What of a child has changed. */
export type ChildAspect = 'state' | Listed;

const callLimits = { inFlight: 256, waiting: 1000 };

/** One instance of a server, for one list of roots. It starts when it is first needed. */
export class Child {
  /** Tells this instance from the others of the same server. */
  readonly id: string;
  readonly offerings: Offerings;
  private readonly parts: ChildParts;
  private readonly run: ChildRun;
  private readonly gate: ChildGate;
  private readonly calls: CallsInFlight;
  private readonly news = new ChildNews();
  private readonly intake: RootsIntake;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<ChildAspect>());
  private readonly didLog = this.store.add(new Emitter<ServerLogEntry>());
  private definition: HubServer;
  private folders: readonly RootFolder[];
  /** Those of them that were in place when that was last looked at: it is told of these. */
  private present: readonly RootFolder[];
  private level: LogLevel = 'info';

  readonly onDidChange: Event<ChildAspect> = this.didChange.event;
  /** What the server says about its work. */
  readonly onDidLog: Event<ServerLogEntry> = this.didLog.event;

  constructor({ capabilities, ...subject }: ChildSubject, parts: ChildParts) {
    const { name } = subject.server;
    this.id = parts.newId();
    this.parts = parts;
    this.definition = subject.server;
    this.folders = subject.roots;
    this.present = subject.roots;
    this.calls = new CallsInFlight(name, callLimits);
    const own = { relay: this.relay(capabilities), lookAgain: () => this.lookAgain() };
    this.run = this.store.add(new ChildRun({ ...subject, ...own }, parts));
    this.gate = new ChildGate(subject.server, this.run, parts.after);
    this.intake = this.store.add(
      new RootsIntake(parts.after, () => this.forward({ method: 'ping', params: {} })),
    );
    this.offerings = new Offerings(this, parts.after);
    this.run.onDidConnect(connection => this.follow(connection));
    this.run.onDidChange(() => this.report());
    this.onDidChange(what => parts.onChange?.(this, what));
  }

  get server(): HubServer {
    return this.definition;
  }

  /** Those that it is to work with, whether it knows of them yet or not. */
  get roots(): readonly RootFolder[] {
    return this.folders;
  }

  get state(): ConnectionState {
    return this.run.state;
  }

  /** Whether a server that died is to start again, when, or why it is not. */
  get plan(): RestartPlan {
    return this.run.plan;
  }

  /** Why it does not run, in finished sentences; `undefined` unless it has failed. */
  get problem(): string | undefined {
    const { state } = this;
    return state.kind === 'failed'
      ? `It ${failureText(state.failure)}. ${planText(this.plan, state.failure)}`.trim()
      : undefined;
  }

  /** What it was not given of the network, in a finished sentence; `undefined`: nothing. */
  get proxyProblem(): string | undefined {
    const names = this.run.withheldProxies.join(', ');
    const server = printable(this.server.name);
    return names === ''
      ? undefined
      : `A proxy with a password is not passed on to the server "${server}": name ${names} in its "env".`;
  }

  /** The folder in which its process runs; `undefined` unless there is one that can be called. */
  get cwd(): string | undefined {
    return this.run.isUp ? this.run.cwd : undefined;
  }

  /** What the server declared; `undefined` unless it is running. */
  get capabilities(): ServerCapabilities | undefined {
    return this.run.isUp ? this.run.connection?.serverCapabilities : undefined;
  }

  /** `undefined` unless it is running. */
  get selfDescription(): SelfDescription | undefined {
    const { isUp, connection } = this.run;
    return isUp && connection
      ? { title: connection.serverInfo?.title, instructions: connection.instructions }
      : undefined;
  }

  /** How many calls of clients it has not answered yet. */
  get callsInFlight(): number {
    return this.calls.count;
  }

  /** Whether it has worked for somebody since its start whom it may yet ask: such servers do. */
  get isSpokenFor(): boolean {
    return this.parts.askers.has(this.server.fingerprint) && this.calls.workedFor !== undefined;
  }

  /** Whether it runs, so that what it offers can be read. */
  get isUp(): boolean {
    return this.run.isUp;
  }

  /** Whether a call can be sent in this very turn. */
  get isReady(): boolean {
    return this.hasItsRoots && this.calls.hasPlace;
  }

  /**
   * Starts the server unless it runs, and waits until it can be called; somebody quicker may still
   * take the place. A planned restart is waited for, unless that is too long.
   *
   * @throws {HumanError} when it does not run, says why, and when it may; the reason of the signal
   *   when that is aborted while it only waits for its turn.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    while (!this.isReady) {
      await (this.hasItsRoots ? this.calls.place(signal) : this.comeUp(signal));
    }
  }

  /** As {@link prepare}, for what takes no place among the calls: the lists of what it offers. */
  async comeUp(signal: AbortSignal): Promise<void> {
    while (!this.hasItsRoots) {
      await (this.isUp ? this.intake.over(signal) : this.gate.comeUp(signal));
    }
  }

  /**
   * Sends a request in this very turn.
   *
   * @param caller to whom goes what the server asks meanwhile; `undefined`: it is the hub's own.
   * @throws the server's own error; {@link HumanError} when it is not ready, or ends meanwhile.
   */
  async forward(request: ForwardedRequest, caller?: Caller): Promise<Forwarded> {
    const { connection } = this.run;
    if (!connection || !this.run.isUp) {
      throw this.gate.whyNot();
    }
    return this.calls.run(caller, () => connection.forward(request));
  }

  /** Starts it if its definition wants it to start without being asked for, and nothing speaks against it. */
  startByItself(): void {
    const { state } = this;
    const isIdle =
      state.kind === 'stopped' ||
      // What was missing then, such as a root, may be there now.
      (state.kind === 'failed' && state.failure.kind === 'not-started');
    if (this.server.autoStart && isIdle) {
      this.begin();
    }
  }

  /** Whether there is a process, or about to be one. */
  get isLive(): boolean {
    const { kind } = this.state;
    return kind === 'running' || kind === 'starting' || this.plan.kind === 'waiting';
  }

  /** Starts it without waiting for what comes of it. */
  begin(): void {
    if (!this.gate.isClosed) {
      this.run.begin();
    }
  }

  /** The same process goes on under a definition that differs in its rules only. */
  redefine(server: HubServer): void {
    this.definition = server;
  }

  setRoots(roots: readonly RootFolder[]): void {
    this.folders = roots;
    this.bring(roots);
  }

  /** Brings it a root that was not in place when it was told of its roots, and is again. */
  restoreRoots(): void {
    if (this.present.length < this.folders.length) {
      this.lookAgain();
    }
  }

  /** Sets the least level of the log messages that the server is asked for. */
  setLogLevel(level: LogLevel): void {
    this.level = level;
    this.run.connection?.setLogLevel(level);
  }

  /**
   * Ends it for good, with an error to all calls in flight. Settles when nothing of it is left.
   *
   * @param cause why, to be read after its name.
   */
  async retire(cause: string): Promise<void> {
    this.gate.close(cause);
    await this.run.stop();
    this.parts.live.delete(this);
    this.store.dispose();
  }

  private lookAgain(): void {
    const present = this.folders.filter(isInPlace);
    const isSame = present.length === this.present.length;
    if (!isSame || present.some((folder, index) => folder !== this.present[index])) {
      this.bring(present);
    }
  }

  private bring(roots: readonly RootFolder[]): void {
    this.present = roots;
    this.gate.change('was ended, because the roots have changed', () => this.run.setRoots(roots));
    if (this.isLegacy) {
      this.intake.renew();
    }
  }

  private relay(capabilities: ChildSubject['capabilities']): ClientRelay {
    const { name, fingerprint } = this.server;
    const relay = relayFor(name, capabilities, this.calls);
    return {
      ...relay,
      answer: (request, signal) => {
        this.parts.askers.add(fingerprint);
        return relay.answer(request, signal);
      },
    };
  }

  /** Whether it runs and had the time to take in its roots. */
  private get hasItsRoots(): boolean {
    return this.isUp && this.intake.isOver;
  }

  /** Only those ask for roots outside of calls. */
  private get isLegacy(): boolean {
    const { state } = this;
    return state.kind === 'running' && state.era === 'legacy';
  }

  private follow(connection: ServerConnection): void {
    this.parts.live.add(this);
    connection.onDidServeRoots(({ era, roots }) => {
      const uris = roots.map(({ uri }) => uri);
      this.parts.onExposure?.({ server: this.server.name, child: this.id, roots: uris });
      if (era === 'legacy') {
        this.intake.answered();
      }
    });
    connection.setLogLevel(this.level);
    connection.onDidLog(entry => this.didLog.fire(entry));
    connection.onDidWriteStderr(line => this.parts.onStderr?.(this.server.name, line));
    connection.onDidChangeList(what => {
      this.offerings.drop(what);
      this.didChange.fire(what);
    });
  }

  private report(): void {
    const { server, id, run, gate } = this;
    const news = this.news.since(run, gate.cause);
    if (news) {
      if (this.isLegacy && server.rootsAs.includes('roots')) {
        this.intake.begin();
      }
      if (!run.isUp) {
        this.intake.end();
        const { kind } = run.state;
        this.calls.failAll(kind === 'failed' ? gate.whyNot() : childError(server.name, gate.cause));
        this.offerings.dropAll();
      }
      this.parts.onChild({ server: server.name, child: id, ...news }, this);
      this.didChange.fire('state');
    }
  }
}
