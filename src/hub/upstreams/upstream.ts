import { setImmediate } from 'node:timers/promises';
import { eitherSignal, whenAborted } from '../../base/abortSignals.ts';
import { type After, startDeadline, steadyNow } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { AskedServer } from '../../domain/gate/asked.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { ruleWarnings } from '../../domain/hubConfig/ruleWarnings.ts';
import { printable } from '../../domain/printable.ts';
import type { HumanError } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import { isTriedAnew, nextCall, type RestartPlan } from '../../domain/servers/restarts.ts';
import { ManagedServer, type ServerHost } from '../../mcp/life/managedServer.ts';
import { type ServerCapabilities, ServerConnection } from '../../mcp/link/connection.ts';
import type { ForwardedRequest } from '../../mcp/link/forwarding.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import type { ClientRelay } from '../../mcp/link/relayedRequests.ts';
import { SettleWait } from '../../mcp/link/settleWait.ts';
import type { ProcessOwner } from '../../mcp/process/stdio/processOwner.ts';
import type { SandboxFacts } from '../../mcp/process/stdio/serverProcess.ts';
import type { ConnectionTimes } from '../../mcp/process/times.ts';
import type { RawResult } from '../../server/hubHost.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { UpstreamOffers } from '../offers/upstreamOffers.ts';
import {
  askAgain,
  endText,
  failureText,
  planText,
  retryText,
  startingText,
  upstreamError,
} from './upstreamProblem.ts';
import { type StartPlaces, startRoot, upstreamTarget } from './upstreamTarget.ts';

/** A change of an upstream's state. */
export interface UpstreamEvent {
  readonly server: string;
  readonly state: ConnectionState['kind'] | 'restarting';
  readonly reason: string | undefined;
}

/** Receives the events of all upstreams of a hub. */
export interface UpstreamObserver {
  takeEvent(event: UpstreamEvent, upstream: Upstream): void;
  /** The server got roots. @param roots the URIs of these roots. */
  takeExposure(upstream: Upstream, roots: readonly string[]): void;
  /** @param line a line of the server's standard error, without the secrets of its launch. */
  takeLine(server: string, line: string): void;
  /** The rules of a running server have changed. */
  takeRules(upstream: Upstream): Promise<void>;
}

/** Parts that all upstreams of a hub share. */
export interface UpstreamParts extends StartPlaces {
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** The time limits. `undefined`: the limits for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  readonly observer: UpstreamObserver;
  readonly logger: Logger;
  readonly after: After;
  readonly owner: ProcessOwner;
}

/** What an upstream is made from. */
interface UpstreamSubject {
  /** The id of this instance. Other instances of the same server have other ids. */
  readonly id: string;
  readonly server: HubServer;
  readonly roots: readonly RootFolder[];
  readonly relay: ClientRelay;
  /** Settles when the processes of the replaced upstream are gone. */
  readonly predecessor: Promise<unknown> | undefined;
}

/** The longest wait of a call for a planned restart, in milliseconds. A call that would wait longer fails. */
const soon = 5000;
/**
 * The longest wait of a caller for a start, in milliseconds. A longer download goes on. Most
 * clients give up a call after a minute, and would then not get the reason.
 */
const longestStart = 45_000;

const proxyProblem = (server: string, names: string) =>
  `The server "${server}" does not get ${names}, because that proxy has a password. To pass the proxy on, name it in the server's "env".`;
const byRoots = 'was ended, because the roots have changed';
const notRunning = 'is not running';

/** A server behind the hub, in one session. It starts when first needed. */
export class Upstream {
  readonly id: string;
  readonly offerings: UpstreamOffers;
  readonly managed: ManagedServer;
  private readonly parts: UpstreamParts;
  private readonly settleWait: SettleWait;
  private readonly store = new DisposableStore();
  private readonly didChangeTools = this.store.add(new Emitter<void>());
  /** The definition. While the process runs, only the definition's rules for tools can change. */
  server: HubServer;
  /** The roots that the server may work with, even if it does not know them yet. */
  private folders: readonly RootFolder[];
  /** The roots whose folders existed at the last check. The server learns these roots. */
  private present: readonly RootFolder[];
  /** Why the server was ended for good, as words after its name. `undefined`: it was not ended. */
  private retirement: string | undefined;
  /** Aborted, with the reason, when the server stops running. */
  private life = new AbortController();
  private lastKind: ConnectionState['kind'] = 'stopped';
  private failedAt = 0;

  /** Fires when the tools may have changed. A stop does not fire, because the last list stays valid. */
  readonly onDidChangeTools: Event<void> = this.didChangeTools.event;

  constructor(subject: UpstreamSubject, parts: UpstreamParts) {
    const { id, server, roots } = subject;
    const { after } = parts;
    this.id = id;
    this.parts = parts;
    this.server = server;
    this.folders = roots;
    this.present = roots.filter(isInPlace);
    this.managed = this.store.add(this.newManaged(subject));
    const ping = () => this.managed.link.forward({ method: 'ping', params: {} });
    this.settleWait = this.store.add(new SettleWait(after, ping));
    this.offerings = new UpstreamOffers(this, after);
    this.managed.onDidChange(() => this.report());
  }

  /** The server as the gate sees it. */
  get atGate(): AskedServer {
    return { definition: { ...this.server, label: this.server.name } };
  }

  get state(): ConnectionState {
    return this.managed.state;
  }

  /** Whether and when a server that died starts again. */
  get plan(): RestartPlan {
    return this.managed.plan;
  }

  /** Why the server failed, in finished sentences. `undefined`: the server has not failed. */
  get problem(): string | undefined {
    const { state } = this;
    return state.kind === 'failed'
      ? `It ${failureText(state.failure)}. ${planText(this.plan, state.failure)}`.trim()
      : undefined;
  }

  /** Names the proxies that the server did not get, in a finished sentence. `undefined`: none. */
  get proxyProblem(): string | undefined {
    const names = (this.process?.withheldProxies ?? []).join(', ');
    const server = printable(this.server.name);
    return names === '' ? undefined : proxyProblem(server, names);
  }

  /** The mistakes in the server's rules for tools. Needs the list of tools to find all of them. */
  get ruleProblems(): readonly string[] {
    return ruleWarnings(this.server, this.folders, this.offerings.knownTools);
  }

  /** The working directory of the server's process. `undefined`: the server is not running. */
  get cwd(): string | undefined {
    // The program that starts a sandbox has another working directory.
    return this.isUp ? (this.sandbox?.cwd ?? this.process?.cwd) : undefined;
  }

  /** The sandbox of the present or last process. `undefined`: none. */
  get sandbox(): SandboxFacts | undefined {
    return this.process?.sandbox;
  }

  /** The capabilities that the server declared. `undefined`: the server is not running. */
  get capabilities(): ServerCapabilities | undefined {
    return this.managed.link.serverCapabilities;
  }

  /** Whether the server runs, so that its tools can be read. */
  get isUp(): boolean {
    return this.state.kind === 'running';
  }

  /** Whether a call can be sent now: the server runs, and had time to take over its roots. */
  get isReady(): boolean {
    return this.isUp && this.settleWait.isOver;
  }

  /** Whether the server runs or is about to. */
  get isLive(): boolean {
    return this.managed.isLive || this.plan.kind === 'waiting';
  }

  /**
   * Starts the server unless it runs, and waits until the server can take calls.
   *
   * @param longest the longest wait for a start, in milliseconds.
   * @throws {HumanError} when the server does not run in time, or the signal is aborted during the
   * start. The error says why, and when a call may succeed. Throws the signal's reason when the
   * signal is aborted before the start, or while a running server takes over its roots.
   */
  async comeUp(signal: AbortSignal, longest = longestStart): Promise<void> {
    if (!this.isLive) {
      await this.lookAgain();
      signal.throwIfAborted();
    }
    while (!this.isReady) {
      await (this.isUp ? this.settleWait.over(signal) : this.start(signal, longest));
    }
  }

  /**
   * Sends a request at once, in this turn of the event loop.
   *
   * @throws the server's own error. A {@link HumanError} when the server is not ready, or ends meanwhile.
   */
  async forward(request: ForwardedRequest): Promise<RawResult> {
    if (!this.isUp) {
      throw this.whyNot();
    }
    const { signal } = this.life;
    // A server may take long to end, and no call waits for its end.
    const either = request.signal && eitherSignal(request.signal, signal);
    try {
      return await this.managed.link.forward({ ...request, signal: either?.signal ?? signal });
    } catch (error) {
      // A connection fails its requests a moment before it reports why it has ended.
      await setImmediate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      either?.dispose();
    }
  }

  /** Starts a server with `autoStart` if it has stopped, or if it failed before its process ran. */
  startByItself(): void {
    const { state } = this;
    if (this.server.autoStart && (state.kind === 'stopped' || isTriedAgain(state))) {
      this.begin();
    }
  }

  /** Starts the server without waiting for the outcome. */
  begin(): void {
    if (this.retirement === undefined) {
      void this.managed.start('by-itself');
    }
  }

  setRoots(roots: readonly RootFolder[]): void {
    this.folders = roots;
    this.look();
  }

  /** Announces roots whose folders were missing at the last check, if they exist again. */
  restoreRoots(): void {
    if (this.present.length < this.folders.length) {
      this.look();
    }
  }

  /**
   * Ends the server for good. Calls in flight fail with an error. Settles when the server's processes are gone.
   *
   * @param cause the reason, as words after the server's name.
   */
  async retire(cause: string): Promise<void> {
    this.retirement = cause;
    await this.managed.stop();
    this.store.dispose();
  }

  private lookAgain(): Promise<void> | undefined {
    const asked = this.folders.flatMap(folder => folder.ask() ?? []);
    if (asked.length > 0) {
      return Promise.all(asked).then(() => this.look());
    }
    this.look();
    return undefined;
  }

  /** Gives the server the roots whose folders exist now, if these roots have changed. */
  private look(): void {
    const { present: before } = this;
    const now = this.folders.filter(isInPlace);
    if (now.length === before.length && now.every((folder, index) => folder === before[index])) {
      return;
    }
    this.present = now;
    if (asksByItself(this.state)) {
      this.settleWait.renew();
    }
    this.managed.setRoots(now.map(startRoot));
    if (isTriedAgain(this.state)) {
      void this.managed.stop();
    }
  }

  /** Starts the server, or joins a start. @throws {HumanError} when it does not run in time. */
  private async start(signal: AbortSignal, longest: number): Promise<void> {
    const { state, plan, managed, failedAt } = this;
    const wait = plan.kind === 'waiting' ? plan.at - steadyNow() : 0;
    if (this.retirement !== undefined || wait > soon) {
      throw this.whyNot();
    }
    const isOver = state.kind === 'failed' && plan.kind !== 'waiting';
    const next = isOver ? nextCall(state.failure.kind, failedAt) : 0;
    if (steadyNow() < next) {
      throw this.whyNot(retryText(next));
    }
    const { after } = this.parts;
    // Waits for a planned restart. With hurried restarts, the hub would soon give the server up.
    const planned = wait > 0 ? startDeadline(after, wait).over : Promise.resolve();
    const tooLate = startDeadline(after, longest);
    const calledOff = new Promise<void>(resolve => whenAborted(signal, resolve));
    await Promise.race([planned.then(() => managed.start('by-itself')), tooLate.over, calledOff]);
    tooLate.dispose();
    if (!this.isUp) {
      throw this.whyNot();
    }
  }

  /** Says why the upstream can't take calls now, and when it can. @param more finished sentences. */
  private whyNot(...more: readonly string[]): HumanError {
    const { state, plan, server, retirement, cause } = this;
    const { name } = server;
    if (retirement === undefined && state.kind === 'failed') {
      const { failure } = state;
      return upstreamError(name, failureText(failure), planText(plan, failure), ...more);
    }
    return retirement === undefined && state.kind === 'starting'
      ? upstreamError(name, startingText(this.mayDownload), askAgain)
      : upstreamError(name, cause);
  }

  /** Why the server ended or will end, as words after its name. For a failure, see `whyNot`. */
  private get cause(): string {
    const { target, hasLostItsRoots } = this.managed;
    // Only retirement or a change of roots stops a server.
    const isEnded = target !== undefined || hasLostItsRoots;
    return this.retirement ?? (isEnded ? byRoots : notRunning);
  }

  /** Whether the start may be downloading. Before a start in a sandbox, packages were installed already. */
  get mayDownload(): boolean {
    return this.process?.mayDownload ?? mayDownload(this.server.launch);
  }

  /** The last start of the process. `undefined`: no process was started, for example over HTTP. */
  private get process() {
    const { target } = this.managed;
    return target && 'cwd' in target ? target : undefined;
  }

  private newManaged({ server, relay, predecessor }: UpstreamSubject): ManagedServer {
    const { clientInfo, owner, times } = this.parts;
    const definition = { ...server, id: server.name, label: server.name };
    const lookAgain = () => this.lookAgain();
    const connection = new ServerConnection({ clientInfo, owner, times, relay, lookAgain });
    const host: ServerHost = {
      ready: async () => predecessor,
      target: start => upstreamTarget(server, start, this.parts),
      admit: start => start(),
      lookAgain,
      logger: this.parts.logger,
    };
    const managed = new ManagedServer(definition, this.present.map(startRoot), host, connection);
    managed.onDidExpose(({ era, trigger, roots }) => {
      if (era === 'legacy') {
        this.settleWait.answered();
      }
      if (trigger.kind !== 'launch') {
        const uris = roots.map(({ uri }) => uri);
        this.parts.observer.takeExposure(this, uris);
      }
    });
    managed.link.onDidBegin(({ onDidWriteStderr, onDidChangeList }) => {
      onDidWriteStderr?.(line => this.parts.observer.takeLine(this.server.name, line));
      onDidChangeList(what => {
        if (what === 'tools') {
          this.offerings.drop();
          this.didChangeTools.fire();
        }
      });
    });
    return managed;
  }

  private report(): void {
    const { server, state, lastKind: before, cause, plan } = this;
    const { kind } = state;
    if (kind === before) {
      return;
    }
    this.lastKind = kind;
    if (kind === 'running') {
      this.life = new AbortController();
    }
    const wasLive = before === 'running' || before === 'starting';
    const why = wasLive && kind !== 'running' ? `it ${cause}` : undefined;
    const reason = state.kind === 'failed' ? `it ${endText(state.failure, plan)}` : why;
    if (kind === 'failed') {
      this.failedAt = steadyNow();
    }
    if (kind !== 'running') {
      this.settleWait.end();
      this.life.abort(kind === 'failed' ? this.whyNot() : upstreamError(server.name, cause));
      this.offerings.drop();
    } else if (asksByItself(state) && server.rootsAs.includes('roots')) {
      this.settleWait.begin();
    }
    const isAgain = kind === 'starting' && before !== 'stopped';
    const event = { server: server.name, state: isAgain ? 'restarting' : kind, reason } as const;
    this.parts.observer.takeEvent(event, this);
    if (this.isUp) {
      this.didChangeTools.fire();
    }
  }
}

function isInPlace(root: RootFolder): boolean {
  return root.whyNot() === undefined;
}

function isTriedAgain(state: ConnectionState): boolean {
  return state.kind === 'failed' && isTriedAnew(state.failure.kind);
}

/** Whether a legacy server is running. Only legacy servers ask for roots outside of calls. */
function asksByItself(state: ConnectionState): boolean {
  return state.kind === 'running' && state.era === 'legacy';
}
