import { Debounce, type DebounceTimes } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { LatestWork } from '../../base/latestWork.ts';
import type { Logger } from '../../base/logger.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { isFree } from '../../domain/gate/handshakeAndLists.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { Deaths, RestartPlan } from '../../domain/servers/restarts.ts';
import {
  isSameStart,
  type RootsAtStart,
  rootsEffect,
  type StartRoot,
  seenRoots,
  startAge,
} from '../../domain/servers/rootsChange.ts';
import {
  configurationRoutes,
  type ServerDefinition,
} from '../../domain/servers/serverDefinition.ts';
import { notStarted } from '../../domain/servers/serverFailure.ts';
import type { ServerConnection } from '../link/connection.ts';
import type { AskedRequest } from '../link/forwarding.ts';
import type { ConnectionState, Link } from '../link/link.ts';
import type { LookAgain } from '../link/rootsAnswerer.ts';
import type { Target } from '../process/openWire.ts';
import { type IdleTerms, IdleWatch } from './idleWatch.ts';
import { ProcessRecord } from './processRecord.ts';
import { Supervisor } from './supervisor.ts';

/** `by-hand`: a person starts the server, and can be asked for missing values. */
export type StartMode = 'by-hand' | 'by-itself';

/** The keys of a definition that decide the life of a server. */
export type ManagedDefinition = Pick<
  ServerDefinition,
  'id' | 'label' | 'launch' | 'rootsAs' | 'protocol'
>;

/** A start that is being prepared. */
export interface StartRequest {
  readonly mode: StartMode;
  readonly roots: readonly StartRoot[];
  /** Aborted when the start is cancelled. After that, a person must not be asked anything. */
  readonly signal: AbortSignal;
}

/** Time limit for the end of a sandboxed process that lost a root, in milliseconds. */
const mostAfterLoss = 400;

/** A request to a server that is neither a handshake nor a list. The gate may still refuse it. */
export type Use = AskedRequest & Omit<Exposure, 'era' | 'trigger' | 'count' | 'roots'>;

/** What a managed server needs from its owner: the editor, the hub or a client's session. */
export interface ServerHost {
  /** Gathers several changes of roots into one restart. Left out: each change restarts at once. */
  readonly burst?: DebounceTimes;
  /** The server's deaths in all its managed servers. Left out: only deaths in this one count. */
  readonly deaths?: Deaths;
  /** When the server stops because nobody uses it. Left out: never. */
  readonly idle?: IdleTerms | undefined;
  /** Resolves when a start may be prepared. Never rejects. */
  ready(): Promise<unknown>;
  /**
   * Returns the start of the server, with all variables of its definition filled in.
   *
   * @throws {HumanError} when the definition names something that is missing.
   */
  target(request: StartRequest): Promise<Target>;
  /** Runs `start` once there is room for its process or connection. Settles as `start` does. */
  admit(start: () => Promise<void>): Promise<unknown>;
  /** Checks whether the roots have changed. If so, calls `setRoots` before it settles. */
  readonly lookAgain: LookAgain;
  /** Gets errors of a start that are bugs: errors without a sentence for a person. */
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * The life of one server. Gives the server the roots that the host decides on. Reports changed
 * roots, or restarts the server if only a restart brings them. Starts it again after a death, and
 * ends it.
 */
export class ManagedServer<L extends Link = ServerConnection> implements IDisposable {
  /** Carries the server's messages. Only this class starts and stops the link. */
  readonly link: L;
  /** The record of the server's process. */
  readonly record: ProcessRecord;
  private readonly definition: ManagedDefinition;
  private readonly host: ServerHost;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didChangeState = this.store.add(new Emitter<ConnectionState>());
  private readonly didExpose = this.store.add(new Emitter<Exposure>());
  private readonly didUse = this.store.add(new Emitter<Use>());
  private readonly supervisor: Supervisor;
  private readonly restartSoon: Debounce;
  private readonly underWay = new LatestWork();
  /** Aborted when a stop or another start replaces the start that is under way. */
  private attempt = new AbortController();
  private mode: StartMode = 'by-itself';
  /** The state while a start is prepared, or when the preparation failed. */
  private ahead: ConnectionState | undefined;
  private roots: readonly StartRoot[] | undefined;
  /** The start of the present process, or else of the last process. `undefined`: no start yet. */
  private launched: (RootsAtStart & { readonly target: Target }) | undefined;
  private hasLostLastRoot = false;
  private wasUnused = false;
  /** The roots in a start's arguments, variables or sandbox. Kept until its process begins. */
  private handedAtStart: Omit<Exposure, 'at' | 'serverId' | 'serverLabel'> | undefined;

  /** Fires when the state, the plan, or anything else that can be read here changes. */
  readonly onDidChange: Event<void> = this.didChange.event;
  /** Fires when the link enters another state, or when a start fails before it reaches the link. */
  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  readonly onDidExpose: Event<Exposure> = this.didExpose.event;
  /** Fires for each request except handshakes and lists. The request may still be refused. */
  readonly onDidUse: Event<Use> = this.didUse.event;

  /** @param roots the roots that the server may see. `undefined`: the server is offered no roots. */
  constructor(
    definition: ManagedDefinition,
    roots: readonly StartRoot[] | undefined,
    host: ServerHost,
    link: L,
  ) {
    this.definition = definition;
    this.roots = roots;
    this.host = host;
    this.link = link;
    this.restartSoon = this.store.add(
      new Debounce(() => this.restartIfNeeded(), host.burst ?? { quiet: 0, longest: 0 }),
    );
    this.record = this.store.add(new ProcessRecord(() => this.didChange.fire()));
    const startAgain = () => void this.start('by-itself');
    this.supervisor = this.store.add(new Supervisor(startAgain, host.deaths));
    // The supervisor must listen first: the listeners below read its plan when they learn of a death.
    this.supervisor.watch(this);
    link.onDidChangeState(state => {
      this.didChangeState.fire(state);
      this.didChange.fire();
    });
    this.record.follow(link);
    if (host.idle) {
      this.store.add(new IdleWatch(host.idle, () => this.stopUnused())).follow(link);
    }
    link.onDidLoseRoots?.(() => this.stopWithoutRoots());
    link.onDidBegin(({ process, onDidServeRoots, onDidAsk }) => {
      const isThere = process !== undefined || !('command' in (this.target ?? {}));
      if (isThere) {
        this.exposeStart();
      }
      onDidServeRoots(answer => this.expose(answer));
      onDidAsk(asked => isFree(asked) || this.didUse.fire({ ...this.about(), ...asked }));
    });
  }

  get state(): ConnectionState {
    return this.ahead ?? this.link.state;
  }

  /** Whether a server that died starts again, and when. */
  get plan(): RestartPlan {
    return this.supervisor.plan;
  }

  /** Whether the server runs or is starting. */
  get isLive(): boolean {
    const { kind } = this.state;
    return kind === 'starting' || kind === 'running';
  }

  get startMode(): StartMode {
    return this.mode;
  }

  /** The target of the server's last start. `undefined`: there was no start yet. */
  get target(): Target | undefined {
    return this.launched?.target;
  }

  /** Whether the server was stopped because it lost its last root, and has not started again. */
  get hasLostItsRoots(): boolean {
    return this.hasLostLastRoot;
  }

  /** Whether the server was stopped because nobody used it, and was not started since. */
  get isIdle(): boolean {
    return this.wasUnused;
  }

  /**
   * Starts the server, or waits for a start that is under way. Resolves to the resulting state,
   * and never rejects. A stop cancels the start, and so does the loss of the last root.
   */
  async start(mode: StartMode): Promise<ConnectionState> {
    if (this.isLive && mode === 'by-hand') {
      this.host.deaths?.forgive(); // Clients may be waiting for processes of their own.
    }
    await (this.isLive ? this.underWay.settled() : this.underWay.begin(this.bringUp(mode)));
    return this.state;
  }

  /** Stops and starts the server. A stop cancels the restart, and so does the loss of the last root. */
  async restart(mode: StartMode): Promise<ConnectionState> {
    await this.underWay.begin(this.bringUp(mode));
    return this.state;
  }

  /**
   * Ends the process and all that it started, and cancels a planned start or restart. Settles when
   * all these processes are gone; never rejects.
   */
  async stop(): Promise<void> {
    this.attempt.abort();
    this.supervisor.callOff();
    this.enter(undefined);
    await this.link.stop();
  }

  /** Kills the process immediately. Call it only when our own process is about to end. */
  kill(): void {
    this.link.kill();
  }

  /**
   * Sets the roots that the server may see from now on. Notifies, restarts or stops its process.
   *
   * @param roots `undefined`: the server may see no roots, and its next start does not offer roots.
   */
  setRoots(roots: readonly StartRoot[] | undefined): void {
    const { atStart } = this;
    const before = atStart && !atStart.roots ? [] : (this.roots ?? []);
    const now = roots ?? [];
    this.roots = roots;
    if (isSameStart(before, now)) {
      return;
    }
    this.link.setRoots(atStart ? seenRoots(atStart, now) : now);
    const effect = rootsEffect(atStart, before, now);
    if (effect === 'stop' && (this.isLive || this.plan.kind === 'waiting')) {
      this.stopWithoutRoots();
    } else if (effect === 'restart' && this.isLive) {
      this.restartForRoots();
    }
  }

  /** Cancels a start, and fires no more events. Ends no running process: call `stop` for that. */
  dispose(): void {
    this.attempt.abort();
    this.store.dispose();
  }

  private async bringUp(mode: StartMode): Promise<void> {
    if (this.store.isDisposed) {
      return;
    }
    this.attempt.abort();
    this.attempt = new AbortController();
    const { signal } = this.attempt;
    this.mode = mode;
    if (mode === 'by-hand') {
      this.supervisor.forget();
    }
    this.hasLostLastRoot = false;
    this.wasUnused = false;
    this.record.begin();
    this.enter({ kind: 'starting' });
    try {
      // The old process ends first, because roots revoked meanwhile must not reach the new one.
      const { kind } = this.link.state;
      const isOver = kind === 'stopped' || kind === 'failed';
      await Promise.all([this.host.ready(), isOver || this.link.stop()]);
      await this.host.admit(() => this.launch(mode, signal));
    } catch (error) {
      if (!signal.aborted) {
        if (!isHumanError(error)) {
          this.host.logger.error(error instanceof Error ? error : String(error));
        }
        this.ahead = { kind: 'failed', failure: notStarted(error) };
        this.didChangeState.fire(this.ahead);
        this.didChange.fire();
      }
    }
  }

  private async launch(mode: StartMode, signal: AbortSignal): Promise<void> {
    const target = await this.prepare(mode, signal);
    if (!target || signal.aborted) {
      return;
    }
    const { roots } = this;
    const { launch, rootsAs, protocol } = this.definition;
    const facts = 'sandbox' in target ? target.sandbox : undefined;
    const isSandboxed = facts !== undefined;
    const routes = configurationRoutes(rootsAs);
    const as = [...routes, ...(isSandboxed ? ['mount' as const] : [])];
    const configured = as.length > 0 ? (roots ?? []).map(({ uri, name }) => ({ uri, name })) : [];
    this.launched = { launch, roots, isConfigured: routes.length > 0, isSandboxed, target };
    this.record.noteStart(configured, facts);
    this.ahead = undefined;
    this.handedAtStart =
      configured.length > 0
        ? { trigger: { kind: 'launch', as }, count: 1, roots: configured }
        : undefined;
    const offered = rootsAs.includes('roots') ? roots : undefined;
    await this.link.start(target, offered, protocol);
  }

  /**
   * Prepares a start with the present roots, which decide its working directory and arguments.
   * Repeats this if the roots change meanwhile. `undefined`: the start was cancelled.
   */
  private async prepare(mode: StartMode, signal: AbortSignal): Promise<Target | undefined> {
    while (!signal.aborted) {
      const roots = this.roots ?? [];
      const target = await this.host.target({ mode, roots, signal });
      await this.host.lookAgain();
      if (isSameStart(roots, this.roots ?? [])) {
        return target;
      }
    }
    return undefined;
  }

  /** Reports a start's exposure only once, even if two processes of the start get the roots. */
  private exposeStart(): void {
    const { handedAtStart } = this;
    this.handedAtStart = undefined;
    if (handedAtStart) {
      this.expose(handedAtStart);
    }
  }

  /** The last start. `undefined`: there was no start, or the next start is being prepared. */
  private get atStart(): RootsAtStart | undefined {
    return this.ahead ? undefined : this.launched;
  }

  private enter(ahead: ConnectionState | undefined): void {
    this.ahead = ahead;
    this.didChange.fire();
  }

  /** The head of an event: the time, the server and the client. */
  private about() {
    const { id, label } = this.definition;
    const { clientName: client } = this.link;
    return { at: Date.now(), serverId: id, serverLabel: label, ...(client && { client }) };
  }

  private expose(answer: Omit<Exposure, 'at' | 'serverId' | 'serverLabel'>): void {
    const exposure: Exposure = { ...this.about(), ...answer };
    this.record.noteExposure(exposure);
    this.didExpose.fire(exposure);
  }

  /** Restarts the server for changed roots. Changes that come together cost only one restart. */
  private restartForRoots(): void {
    const isLost = this.atStart?.isSandboxed && startAge(this.atStart, this.roots ?? []) === 'lost';
    if (isLost) {
      // Restarts even during a start: a second process of that start must not get the lost root.
      void this.restart('by-itself');
      this.hurry();
    } else if (this.host.burst && this.state.kind === 'running') {
      this.restartSoon.request();
    } else {
      void this.restart('by-itself');
    }
  }

  private stopUnused(): void {
    // The setting may have changed during the wait.
    if (this.state.kind === 'running' && this.host.idle?.time() !== undefined) {
      this.wasUnused = true;
      void this.stop();
    }
  }

  private stopWithoutRoots(): void {
    this.hasLostLastRoot = true;
    void this.stop();
    this.hurry();
  }

  /**
   * Call it when a process must stop because it lost a root. A sandboxed process is soon killed:
   * until its end, it can read the files that it has open in that root.
   */
  private hurry(): void {
    if (this.launched?.isSandboxed) {
      const killing = setTimeout(() => this.link.kill(), mostAfterLoss);
      void this.link.stop().then(() => clearTimeout(killing));
    }
  }

  private restartIfNeeded(): void {
    const { atStart, roots = [] } = this;
    const effect = rootsEffect(atStart, roots, roots);
    if (this.isLive && effect === 'restart') {
      void this.restart('by-itself');
    }
  }
}
