import { randomUUID } from 'node:crypto';
import { DisposableStore, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { WaitingLine } from '../../base/limiter.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ClientRelay } from '../../mcp/link/relayedRequests.ts';
import type { HubHost, RawResult } from '../../server/hubHost.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import type { SessionAudit } from '../audit/auditLog.ts';
import type { ClientCalls } from '../session/clientCalls.ts';
import { Upstream, type UpstreamParts } from './upstream.ts';

/** How long a list waits for servers to start, in milliseconds. For later ones, a notice follows. */
export const longestWaitOfList = 5000;

/**
 * The upstreams of one session: one instance of each configured server, with the session's roots. An instance
 * starts when it is needed, never before the session names its first roots. A roots view says which roots the
 * session has at one moment, and who named them. A modern client names its roots with each call. If these roots
 * differ from the roots of the last call, the call waits until calls in flight have ended.
 */
export class Upstreams {
  private readonly host: Pick<HubHost, 'era' | 'roots' | 'capabilities'>;
  private readonly audit: Pick<SessionAudit, 'noteRoots'>;
  private readonly parts: UpstreamParts;
  private readonly answer: ClientCalls['answer'];
  private readonly store = new DisposableStore();
  private readonly didChangeTools = this.store.add(new Emitter<void>());
  private servers: readonly HubServer[];
  /** The session's roots. `undefined`: the session has not named its first roots yet. */
  private roots: readonly RootFolder[] | undefined;
  /** The capabilities besides roots that the client declared with its first roots. */
  private capabilities: ClientRelay['capabilities'] = {};
  private upstreams: ReadonlyMap<string, Upstream> = new Map();
  /** Promises by server names. Each settles when all replaced or removed upstreams of the server are gone. */
  private readonly ends = new Map<string, Promise<unknown>>();
  private isClosed = false;
  /** The modern requests whose roots are already in the audit. */
  private readonly noted = new WeakSet<RequestContext>();
  /** The number of requests that use the present roots. */
  private inFlight = 0;
  /** The requests that wait for other roots. */
  private readonly waiting = new WaitingLine();

  /** Fires when tools may have changed: the tools of an upstream, or the list of servers. */
  readonly onDidChangeTools: Event<void> = this.didChangeTools.event;

  /** @param answer answers the servers' requests to the client. */
  constructor(
    host: Upstreams['host'],
    audit: Upstreams['audit'],
    servers: readonly HubServer[],
    answer: ClientCalls['answer'],
    parts: UpstreamParts,
  ) {
    this.host = host;
    this.audit = audit;
    this.servers = servers;
    this.answer = answer;
    this.parts = parts;
  }

  /** The upstreams by server names, in the order of the configuration. */
  get byName(): ReadonlyMap<string, Upstream> {
    return this.upstreams;
  }

  /** Whether a server can ask the client within this request. */
  canBeAsked(context: RequestContext): boolean {
    return Object.keys(this.declared(context)).length > 0;
  }

  /**
   * Runs turns of a request: calls `work` until it returns a result. Each turn gets the roots that
   * hold then. If `work` returns a preparation, runs the preparation before the next turn. If the
   * client must first be asked for roots, the result is that question.
   *
   * @throws {HumanError} when a root of the last turn is revoked.
   */
  async inTurns(
    context: RequestContext,
    work: (turn: RootsTurn) => object | Promise<object>,
  ): Promise<RawResult> {
    const held = new MutableDisposable();
    const turn = (view: RootsView, revoked?: AbortSignal) => work({ view, revoked, held });
    try {
      for (;;) {
        const done = await this.host.roots.use<object>(context, turn, refuseRevoked);
        if (!isPreparation(done)) {
          return done as RawResult;
        }
        await done();
      }
    } finally {
      held.dispose();
    }
  }

  /** Runs work with the session's present roots. First waits for requests that use other roots. */
  use(
    context: RequestContext,
    work: (view: RootsView) => object | Promise<object>,
  ): Promise<RawResult> {
    return this.inTurns(context, turn => this.take(turn, context) ?? work(turn.view));
  }

  /**
   * Gives a turn's roots to the upstreams, which keep them until the request is answered. If modern
   * requests in flight use other roots, returns a preparation that waits for their end.
   *
   * @throws {HumanError} when the session has ended.
   */
  take(turn: RootsTurn, context: RequestContext): Preparation | undefined {
    turn.held.value = undefined;
    const { roots } = turn.view.folders.scope;
    if (this.host.era === 'modern' && this.inFlight > 0 && !this.has(roots)) {
      const { signal } = context.mcpReq;
      return async () => this.inFlight > 0 && this.waiting.join(signal);
    }
    this.setRoots(roots, context);
    this.keep(turn, context);
    return undefined;
  }

  /** Keeps the present roots until the request is answered. The audit notes each modern request's roots. */
  keep({ view, held }: RootsTurn, context: RequestContext): void {
    if (this.host.era === 'modern' && !this.noted.has(context)) {
      this.noted.add(context);
      this.audit.noteRoots(view);
    }
    this.inFlight += 1;
    held.value = toDisposable(() => {
      this.inFlight -= 1;
      if (this.inFlight === 0) {
        this.waiting.callAll();
      }
    });
  }

  /** Gives a legacy client's changed roots to the upstreams. @throws the errors of {@link take}. */
  follow(view: RootsView): void {
    this.setRoots(view.folders.scope.roots, undefined);
    this.audit.noteRoots(view);
  }

  /** Tries to start all upstreams. Returns the upstreams that {@link present} returns. */
  async started(context: RequestContext): Promise<readonly Upstream[]> {
    const upstreams = await this.present(context);
    const { signal } = context.mcpReq;
    // An upstream's state shows a failure or a slow start. The other upstreams need not wait.
    await Promise.allSettled(upstreams.map(one => one.comeUp(signal, longestWaitOfList)));
    return upstreams;
  }

  /**
   * All upstreams in their present states, for a request that can't ask for roots. Upstreams of a
   * modern client have the roots of the previous call, and none before the first call. A server
   * that starts before the first call gets the roots with the first call, by a notice or a restart.
   */
  async present(context: RequestContext): Promise<readonly Upstream[]> {
    if (this.host.era === 'legacy') {
      await this.use(context, () => ({}));
    } else {
      this.setRoots(this.roots ?? [], context);
    }
    return [...this.byName.values()];
  }

  /**
   * Gives these roots to all upstreams, and starts the servers with `autoStart`.
   *
   * @param context the context of the request that brought the roots.
   * @throws {HumanError} when the session has ended.
   */
  setRoots(roots: readonly RootFolder[], context: RequestContext | undefined): void {
    if (this.isClosed) {
      throw new HumanError('The session has ended.');
    }
    if (this.has(roots)) {
      return;
    }
    const isFirst = this.roots === undefined;
    this.roots = roots;
    if (isFirst) {
      this.capabilities = this.declared(context);
      this.takeServers();
    } else {
      for (const upstream of this.upstreams.values()) {
        upstream.setRoots(roots);
        upstream.startByItself();
      }
    }
  }

  /** Takes the servers of a changed configuration. Servers with the same definition go on. */
  setServers(servers: readonly HubServer[]): void {
    this.servers = servers;
    if (this.roots && !this.isClosed) {
      this.takeServers();
      this.didChangeTools.fire();
    }
  }

  /**
   * Ends all upstreams for good. Settles when their processes are gone.
   *
   * @param cause the reason, as words after the name of each server.
   */
  async close(cause: string): Promise<void> {
    this.isClosed = true;
    for (const upstream of this.upstreams.values()) {
      this.retire(upstream, cause);
    }
    await Promise.all(this.ends.values());
    this.store.dispose();
  }

  /** The client's capabilities that servers can use. A modern client declares them per request. */
  private declared(context: RequestContext | undefined): ClientRelay['capabilities'] {
    const { elicitation, sampling } = this.host.capabilities(context);
    return { ...(elicitation && { elicitation }), ...(sampling && { sampling }) };
  }

  private has(roots: readonly RootFolder[]): boolean {
    return this.roots !== undefined && isSame(this.roots, roots);
  }

  private takeServers(): void {
    const before = this.upstreams;
    this.upstreams = new Map(
      this.servers.map(server => [server.name, this.upstreamFor(server, before.get(server.name))]),
    );
    for (const [name, upstream] of before) {
      if (!this.upstreams.has(name)) {
        this.retire(upstream, removed);
      }
    }
    for (const upstream of this.upstreams.values()) {
      upstream.startByItself();
    }
  }

  private upstreamFor(server: HubServer, before: Upstream | undefined): Upstream {
    if (before?.server.fingerprint === server.fingerprint) {
      before.server = server;
      if (before.isUp) {
        void this.parts.observer.takeRules(before);
      }
      return before;
    }
    const wasLive = before?.isLive;
    if (before) {
      this.retire(before, changed);
    }
    const upstream = this.newUpstream(server);
    if (wasLive) {
      upstream.begin();
    }
    return upstream;
  }

  /** Ends an upstream. The next upstream of this server waits until its processes are gone. */
  private retire(upstream: Upstream, cause: string): void {
    const { name } = upstream.server;
    this.ends.set(name, Promise.all([this.ends.get(name), upstream.retire(cause)]));
  }

  private newUpstream(server: HubServer): Upstream {
    const { roots = [], capabilities } = this;
    const id = randomUUID();
    const predecessor = this.ends.get(server.name);
    const answer: ClientRelay['answer'] = (request, signal) => this.answer(request, signal, id);
    const relay = { capabilities, answer };
    const upstream = new Upstream({ id, server, roots, relay, predecessor }, this.parts);
    upstream.onDidChangeTools(() => this.didChangeTools.fire());
    return upstream;
  }
}

const removed = 'was removed from the configuration of the hub';
const changed = 'was ended, because its configuration has changed';

/** Whether a server would see no difference between two lists of roots. */
function isSame(before: readonly RootFolder[], now: readonly RootFolder[]): boolean {
  const announced = (roots: readonly RootFolder[]) =>
    JSON.stringify(
      roots.map(({ real, uri, name, folder }) => [real, uri, name ?? null, folder ?? null]),
    );
  return before === now || announced(before) === announced(now);
}

/** Work that must be done before the next turn of a request: see {@link Upstreams.inTurns}. */
export type Preparation = () => Promise<unknown>;

function isPreparation(done: object): done is Preparation {
  return typeof done === 'function';
}

/** A turn of a request, with the roots that hold then: see {@link Upstreams.inTurns}. */
export interface RootsTurn {
  readonly view: RootsView;
  /** Aborted when one of these roots is revoked. */
  readonly revoked: AbortSignal | undefined;
  /** Keeps the upstreams' roots until the request is answered. */
  readonly held: MutableDisposable;
}

/** @throws {HumanError} always: a root of the running call was revoked. */
export function refuseRevoked(): never {
  throw new HumanError(
    'During the call, the client stopped sharing a folder that the call used. See get-roots for the shared folders.',
  );
}
