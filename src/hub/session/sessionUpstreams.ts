import { eitherSignal } from '../../base/abortSignals.ts';
import { type After, startDeadline } from '../../base/clock.ts';
import {
  DisposableStore,
  type IDisposable,
  MutableDisposable,
  toDisposable,
} from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { PoolClient } from '../upstreams/poolClient.ts';
import type { PoolEntry } from '../upstreams/poolEntry.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { RelayedCapabilities } from '../upstreams/upstreamCalls.ts';
import type { ClientKind } from '../upstreams/upstreamPool.ts';
import { askAgain, startingText, upstreamError } from '../upstreams/upstreamProblem.ts';
import { relayedCapabilities } from './relayToClient.ts';
import type { SessionAudit } from './sessionAudit.ts';

/**
 * In milliseconds: how long a list waits for servers to start, and how long for the next of them after one
 * has come up. The next list waits for those no more; the client is told when they are there.
 */
const listTimes = { longest: 5000, forOthers: 1000 };

/**
 * How long a look at the servers waits for the client to name its roots, in milliseconds: most
 * clients answer at once, and a look at states need not wait for the others.
 */
const longestLook = 1000;

/**
 * The upstreams of one session. An upstream is one instance of a server behind the hub, for one
 * list of roots; an entry of the pool holds an upstream for each server. A roots view says which
 * roots the session has at one moment, and who named them: other roots, or other capabilities of
 * the client, mean another entry.
 */
export class SessionUpstreams {
  private readonly host: HubHost;
  private readonly client: PoolClient;
  private readonly audit: SessionAudit;
  private readonly after: After;
  /** Modern requests whose roots are noted in the audit. */
  private readonly noted = new WeakSet<RequestContext>();
  /** Upstreams that were waited for in vain, and have not come up since. */
  private readonly late = new WeakSet<Upstream>();
  private last: RootsView | undefined;

  constructor(host: HubHost, client: PoolClient, audit: SessionAudit, after: After) {
    this.host = host;
    this.client = client;
    this.audit = audit;
    this.after = after;
  }

  /** The roots view by which upstreams were taken last; `undefined` before the first. */
  get lastView(): RootsView | undefined {
    return this.last;
  }

  /** Whether a server's questions can be the answer to a request. */
  canBeAsked(context: RequestContext): boolean {
    return this.host.era === 'modern' && Object.keys(this.capabilities(context)).length > 0;
  }

  /**
   * The entry for a roots view, which the session refers to from now on.
   * @param context `undefined` when the client has named other roots outside of a request.
   * @param server the name of the server that is going to be called.
   * @throws {HumanError} when the hub is ending, or the session is over.
   */
  take(view: RootsView, context: RequestContext | undefined, server?: string): PoolEntry {
    const entry = this.client.use({
      kind: this.kindOf(context),
      roots: view.folders.scope.roots,
      capabilities: this.capabilities(context),
      server,
    });
    this.note(view, context);
    return entry;
  }

  /**
   * Notes a roots view in the audit: once per modern call, and when it changes a legacy session.
   */
  note(view: RootsView, context: RequestContext | undefined): void {
    if (view !== this.last && this.isNew(view, context)) {
      this.audit.noteRoots(view);
    }
    this.last = view;
  }

  /**
   * Keeps the entry of a modern call, whatever roots come with the next calls. For a legacy session
   * it does nothing: all calls have the session's roots, and the upstreams get other roots with it.
   */
  keepDuring(entry: PoolEntry): IDisposable {
    return this.host.era === 'modern' ? this.client.keep(entry) : toDisposable(() => {});
  }

  /**
   * Runs work on the entry for the roots of this moment; the work may go on after the roots change.
   * Where the client has to be asked for its roots first, the result is that question.
   */
  async use(
    context: RequestContext,
    work: (entry: PoolEntry, view: RootsView) => object | Promise<object>,
  ): Promise<RawResult> {
    const take = (view: RootsView): Turn => ({ taken: { entry: this.take(view, context), view } });
    for (;;) {
      const turn = await this.host.roots.use(context, take, () => ({ taken: undefined }));
      if (!isTurn(turn)) {
        return { ...turn };
      }
      if (turn.taken) {
        return (await work(turn.taken.entry, turn.taken.view)) as RawResult;
      }
    }
  }

  /**
   * Runs work on the upstreams for the roots of this moment, or, when the client does not name them
   * soon, on the upstreams that the session has: none before its first roots.
   *
   * @param work gets in finished sentences why there are no roots; `undefined`: there are some.
   */
  async look(
    context: RequestContext,
    work: (upstreams: ReadonlyMap<string, Upstream>, whyNoRoots: string | undefined) => object,
  ): Promise<RawResult> {
    const tooLate = startDeadline(this.after, longestLook);
    const present = () => {
      const upstreams = this.client.current?.upstreams ?? new Map<string, Upstream>();
      return work(upstreams, (this.last && whyNoRoots(this.last)) ?? notAnswered) as RawResult;
    };
    try {
      return await Promise.race([
        this.use(context, ({ upstreams }, view) => work(upstreams, whyNoRoots(view))),
        tooLate.over.then(present),
      ]);
    } finally {
      tooLate.dispose();
    }
  }

  /** The upstreams that are {@link present}, after an attempt to start each. */
  async started(context: RequestContext): Promise<readonly Upstream[]> {
    const upstreams = await this.present(context);
    // The state of an upstream says that it failed or takes long, and the others need not wait.
    await this.listing(context.mcpReq.signal, ready => Promise.allSettled(upstreams.map(ready)));
    return upstreams;
  }

  /**
   * All upstreams in their present states, for a request that can't ask for roots. In the modern
   * era they are the upstreams of the call before, and at first the upstreams for no roots: a
   * server that starts for a list then, or by itself, runs once more for the roots of the first
   * call.
   */
  async present(context: RequestContext): Promise<readonly Upstream[]> {
    const entry =
      this.host.era === 'legacy'
        ? await this.legacyEntry(context)
        : (this.client.current ?? this.withoutRoots(context));
    return [...(entry?.upstreams.values() ?? [])];
  }

  /**
   * Makes a list of what servers offer.
   *
   * @param list gets what starts an upstream unless it runs, and waits no longer than a list may. That
   * rejects with a {@link HumanError} when the upstream does not run by then; at once when it was late before.
   */
  async listing<T>(
    signal: AbortSignal,
    list: (ready: (upstream: Upstream) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const wait = new ListWait(this.after);
    try {
      return await list(upstream => this.ready(upstream, signal, wait));
    } finally {
      wait.dispose();
    }
  }

  private async ready(upstream: Upstream, signal: AbortSignal, wait: ListWait): Promise<void> {
    const end = new AbortController();
    const giveUp = () => {
      this.late.add(upstream);
      end.abort(stillStarting(upstream));
    };
    const listening = wait.onDidEnd(giveUp);
    if (this.late.has(upstream) && !upstream.isUp) {
      giveUp();
    }
    const either = eitherSignal(signal, end.signal);
    try {
      await upstream.comeUp(either.signal);
      this.late.delete(upstream);
      wait.goOnForOthers();
    } finally {
      either.dispose();
      listening.dispose();
    }
  }

  /** The client's capabilities that servers can use; a modern client declares them per request. */
  private capabilities(context: RequestContext | undefined): RelayedCapabilities {
    return relayedCapabilities(this.host.capabilities(context));
  }

  private async legacyEntry(context: RequestContext): Promise<PoolEntry | undefined> {
    let entry: PoolEntry | undefined;
    await this.use(context, taken => {
      entry = taken;
      return {};
    });
    return entry;
  }

  private withoutRoots(context: RequestContext): PoolEntry {
    const capabilities = this.capabilities(context);
    return this.client.use({ kind: this.kindOf(context), roots: [], capabilities });
  }

  /**
   * Whether a roots view is not in the audit yet. Without a request it is new: the client has just
   * named its roots. A modern one comes with its request, and is new in the first of its turns.
   */
  private isNew({ era }: RootsView, context: RequestContext | undefined): boolean {
    if (!context) {
      return true;
    }
    const isFirst = era === 'modern' && !this.noted.has(context);
    this.noted.add(context);
    return isFirst;
  }

  private kindOf(context: RequestContext | undefined): ClientKind {
    if (this.host.era === 'legacy') {
      return 'session';
    }
    return context?.http ? 'request' : 'connection';
  }
}

/** How long one list waits for the servers that it needs. */
class ListWait implements IDisposable {
  private readonly after: After;
  private readonly store = new DisposableStore();
  private readonly didEnd = this.store.add(new Emitter<void>());
  private readonly forOthers = this.store.add(new MutableDisposable());

  readonly onDidEnd: Event<void> = this.didEnd.event;

  constructor(after: After) {
    this.after = after;
    this.store.add(after(listTimes.longest, () => this.didEnd.fire()));
  }

  /** One has come up: the list has something to say. */
  goOnForOthers(): void {
    this.forOthers.value = this.after(listTimes.forOthers, () => this.didEnd.fire());
  }

  dispose(): void {
    this.forOthers.value = undefined;
    this.store.dispose();
  }
}

function stillStarting({ server }: Upstream): HumanError {
  return upstreamError(server.name, startingText(server), askAgain);
}

const notAnswered =
  'The client was asked which folders it shares with the hub, and has not answered yet.';

interface Turn {
  /** `undefined`: the roots changed while they were read. */
  readonly taken: { readonly entry: PoolEntry; readonly view: RootsView } | undefined;
}

function isTurn(value: object): value is Turn {
  return 'taken' in value;
}
