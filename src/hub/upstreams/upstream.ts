import { setImmediate } from 'node:timers/promises';
import { eitherSignal, whenAborted } from '../../base/abortSignals.ts';
import { type After, startDeadline, steadyNow } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { ruleWarnings } from '../../domain/hubConfig/ruleWarnings.ts';
import { printable } from '../../domain/printable.ts';
import type { HumanError } from '../../domain/sentence.ts';
import { isTriedAnew, nextCall, type RestartPlan } from '../../domain/servers/restarts.ts';
import { type ServerCapabilities, ServerConnection } from '../../mcp/connection.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { ConnectionState } from '../../mcp/link.ts';
import { ManagedServer, type ServerHost } from '../../mcp/managedServer.ts';
import type { ClientRelay } from '../../mcp/relayedRequests.ts';
import { SettleWait } from '../../mcp/settleWait.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import type { SandboxFacts } from '../../mcp/stdio/serverProcess.ts';
import type { ConnectionTimes } from '../../mcp/times.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import type { RawResult } from '../hubHost.ts';
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

/** Hears of all upstreams of a hub. */
export interface UpstreamObserver {
  takeEvent(event: UpstreamEvent, upstream: Upstream): void;
  /** @param roots that it was handed because it asked, as the URIs that it was told. */
  takeExposure(upstream: Upstream, roots: readonly string[]): void;
  /** @param line of the server's standard error, without the secrets of its launch. */
  takeLine(server: string, line: string): void;
  /** A running server has other rules than before. */
  takeRules(upstream: Upstream): Promise<void>;
}

/** Parts that all upstreams of a hub share. */
export interface UpstreamParts extends StartPlaces {
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** `undefined`: the times for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  readonly observer: UpstreamObserver;
  readonly logger: Logger;
  readonly after: After;
  readonly owner: ProcessOwner;
}

/** The server of an upstream, and its surroundings. */
interface UpstreamSubject {
  /** Tells this instance from the others of the same server. */
  readonly id: string;
  readonly server: HubServer;
  readonly roots: readonly RootFolder[];
  readonly relay: ClientRelay;
  /** Settles when the processes of the upstream that this one replaces are gone. */
  readonly predecessor: Promise<unknown> | undefined;
}

/** In milliseconds: a restart that is planned for later is not hurried by a call. */
const soon = 5000;
/**
 * The longest wait of a caller for a start, in milliseconds. A download may take longer, and goes on;
 * most clients give a call up after a minute, and would not learn the reason then.
 */
const longestStart = 45_000;

/** A server behind the hub, in one session. It starts when first needed. */
export class Upstream {
  readonly id: string;
  readonly offerings: UpstreamOffers;
  readonly managed: ManagedServer;
  private readonly parts: UpstreamParts;
  private readonly settleWait: SettleWait;
  private readonly store = new DisposableStore();
  private readonly didChangeTools = this.store.add(new Emitter<void>());
  /** Another one, when only the rules differ, goes for the same process. */
  server: HubServer;
  /** The roots that the server is to work with, whether it was told of them or not. */
  private folders: readonly RootFolder[];
  /** The roots that were in place when last looked at: the server is told of these. */
  private present: readonly RootFolder[];
  /** Why it was ended for good, to be read after the server's name; `undefined`: it was not. */
  private retirement: string | undefined;
  /** Aborted, with the reason, when the server runs no more. */
  private life = new AbortController();
  private lastKind: ConnectionState['kind'] = 'stopped';
  private failedAt = 0;

  /** Its tools may be others now. One that stops is no change: what it offered is remembered. */
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

  get state(): ConnectionState {
    return this.managed.state;
  }

  /** Whether and when a server that died starts again. */
  get plan(): RestartPlan {
    return this.managed.plan;
  }

  /** The reason for its failure, in finished sentences; `undefined` unless it has failed. */
  get problem(): string | undefined {
    const { state } = this;
    return state.kind === 'failed'
      ? `It ${failureText(state.failure)}. ${planText(this.plan, state.failure)}`.trim()
      : undefined;
  }

  /** Names the proxies that were withheld from the server, in a finished sentence; `undefined`: none. */
  get proxyProblem(): string | undefined {
    const names = (this.process?.withheldProxies ?? []).join(', ');
    const server = printable(this.server.name);
    return names === ''
      ? undefined
      : `A proxy with a password is not passed on to the server "${server}": name ${names} in its "env".`;
  }

  /** Mistakes in its rules, as far as its tools are known. */
  get ruleProblems(): readonly string[] {
    return ruleWarnings(this.server, this.folders, this.offerings.knownTools);
  }

  /** The working directory that the server finds itself in; `undefined` unless it is running. */
  get cwd(): string | undefined {
    // The program that starts a sandbox runs elsewhere.
    return this.isUp ? (this.sandbox?.cwd ?? this.process?.cwd) : undefined;
  }

  /** The sandbox of its process, or of its last one; `undefined`: none. */
  get sandbox(): SandboxFacts | undefined {
    return this.process?.sandbox;
  }

  /** The capabilities that the server declared; `undefined` unless it is running. */
  get capabilities(): ServerCapabilities | undefined {
    return this.managed.link.serverCapabilities;
  }

  /** Whether the server runs, so that its tools can be read. */
  get isUp(): boolean {
    return this.state.kind === 'running';
  }

  /** Whether a call can be sent in this very turn: it runs, and had the time to take in its roots. */
  get isReady(): boolean {
    return this.isUp && this.settleWait.isOver;
  }

  /** Whether the server runs, or is about to. */
  get isLive(): boolean {
    return this.managed.isLive || this.plan.kind === 'waiting';
  }

  /**
   * Starts the server unless it runs, and waits until it can be called.
   *
   * @param longest the longest wait for a start, in milliseconds.
   * @throws {HumanError} when the server does not run then, or will not in time: why, and when it
   * may; the signal's reason when it is aborted while a running server takes in its roots.
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
   * Sends a request in this very turn.
   *
   * @throws the server's own error; {@link HumanError} when the server is not ready, or ends
   * meanwhile.
   */
  async forward(request: ForwardedRequest): Promise<RawResult> {
    if (!this.isUp) {
      throw this.whyNot();
    }
    const { signal } = this.life;
    // A server that is told to end may take its time for that, which no call waits for.
    const either = request.signal && eitherSignal(request.signal, signal);
    try {
      return await this.managed.link.forward({ ...request, signal: either?.signal ?? signal });
    } catch (error) {
      // A connection that ends fails its requests a moment before it says why it has ended.
      await setImmediate();
      throw signal.aborted ? signal.reason : error;
    } finally {
      either?.dispose();
    }
  }

  /** Starts a server with `autoStart`, unless it runs, or has failed after it was started. */
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

  /** Tells the server of roots that were not in place when it was last told, and are again. */
  restoreRoots(): void {
    if (this.present.length < this.folders.length) {
      this.look();
    }
  }

  /**
   * Ends the server for good, with an error to all calls in flight. Settles when its processes are
   * gone.
   *
   * @param cause why, to be read after the server's name.
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

  /** Brings the roots that are in place to the server, where they are others than before. */
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
    // Calls that hurried a restart that is planned would have the server given up.
    const planned = wait > 0 ? startDeadline(after, wait).over : Promise.resolve();
    const tooLate = startDeadline(after, longest);
    const calledOff = new Promise<void>(resolve => whenAborted(signal, resolve));
    await Promise.race([planned.then(() => managed.start('by-itself')), tooLate.over, calledOff]);
    tooLate.dispose();
    if (!this.isUp) {
      throw this.whyNot();
    }
  }

  /** Says why the upstream can't be called now, and when it can. @param more finished sentences. */
  private whyNot(...more: readonly string[]): HumanError {
    const { state, plan, server, retirement, cause } = this;
    const { name } = server;
    if (retirement === undefined && state.kind === 'failed') {
      const { failure } = state;
      return upstreamError(name, failureText(failure), planText(plan, failure), ...more);
    }
    return retirement === undefined && state.kind === 'starting'
      ? upstreamError(name, startingText(server), askAgain)
      : upstreamError(name, cause);
  }

  /** The reason for its last or coming end, unless it fails, to be read after the server's name. */
  private get cause(): string {
    const { target, hasLostItsRoots } = this.managed;
    // As long as it is not retired, nothing else stops it.
    const isEnded = target !== undefined || hasLostItsRoots;
    const ended = isEnded ? 'was ended, because the roots have changed' : 'is not running';
    return this.retirement ?? ended;
  }

  /** The last start of the process; `undefined` before that, and for a server over HTTP. */
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

/** Whether it is a running legacy server: only these ask for roots outside of calls. */
function asksByItself(state: ConnectionState): boolean {
  return state.kind === 'running' && state.era === 'legacy';
}
