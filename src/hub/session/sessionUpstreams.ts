import { type After, startDeadline } from '../../base/clock.ts';
import { type IDisposable, toDisposable } from '../../base/disposable.ts';
import { WaitingLine } from '../../base/limiter.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { Upstream, UpstreamRelay } from '../upstreams/upstream.ts';
import { askAgain, startingText, upstreamError } from '../upstreams/upstreamProblem.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { relayedCapabilities } from './relayToClient.ts';
import type { SessionAudit } from './sessionAudit.ts';

/** In milliseconds: how long a list waits for servers to start. The client is told when they are there. */
const longestStart = 5000;

/**
 * How long a look at the servers waits for the client to name its roots, in milliseconds: most
 * clients answer at once, and a look at states need not wait for the others.
 */
const longestLook = 1000;

/**
 * Brings the roots of a request to the upstreams of its session. A roots view says which roots the
 * session has at one moment, and who named them. A modern client names them with each call: where
 * they are others than before, the call waits until those in flight have ended.
 */
export class SessionUpstreams {
  private readonly host: HubHost;
  private readonly upstreams: Upstreams;
  private readonly audit: SessionAudit;
  private readonly after: After;
  /** Modern requests whose roots are noted in the audit. */
  private readonly noted = new WeakSet<RequestContext>();
  private last: RootsView | undefined;
  /** How many requests go by the present roots, and those that wait for others. */
  private inFlight = 0;
  private readonly waiting = new WaitingLine();

  constructor(host: HubHost, upstreams: Upstreams, audit: SessionAudit, after: After) {
    this.host = host;
    this.upstreams = upstreams;
    this.audit = audit;
    this.after = after;
  }

  /** The roots view by which upstreams were taken last; `undefined` before the first. */
  get lastView(): RootsView | undefined {
    return this.last;
  }

  /** The upstreams by the names of their servers, as they are. */
  get byName(): ReadonlyMap<string, Upstream> {
    return this.upstreams.byName;
  }

  /** Whether a server's questions can be the answer to a request. */
  canBeAsked(context: RequestContext): boolean {
    return this.host.era === 'modern' && Object.keys(this.capabilities(context)).length > 0;
  }

  /**
   * Brings the roots of a request to the upstreams, until the answer is disposed of. `undefined`:
   * requests with other roots are in flight, and {@link turn} has to be waited for.
   *
   * @throws {HumanError} when the session has ended.
   */
  take(view: RootsView, context: RequestContext): IDisposable | undefined {
    const { roots } = view.folders.scope;
    if (this.host.era === 'modern' && this.inFlight > 0 && !this.upstreams.has(roots)) {
      return undefined;
    }
    this.upstreams.setRoots(roots, this.capabilities(context));
    this.note(view, context);
    return this.hold();
  }

  /** Keeps the present roots until the answer is disposed of. */
  hold(): IDisposable {
    this.inFlight += 1;
    return toDisposable(() => {
      this.inFlight -= 1;
      if (this.inFlight === 0) {
        this.waiting.callAll();
      }
    });
  }

  /** Resolves when no request is in flight. @throws the signal's reason when it is aborted before. */
  turn(signal: AbortSignal): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : this.waiting.join(signal);
  }

  /** The client of a legacy session has named other roots. @throws as {@link take}. */
  follow(view: RootsView): void {
    this.upstreams.setRoots(view.folders.scope.roots, this.capabilities(undefined));
    this.audit.noteRoots(view);
    this.last = view;
  }

  /** The roots view of a request. A modern client names its roots with each, of which the audit has them once. */
  note(view: RootsView, context: RequestContext): void {
    if (this.host.era === 'modern' && !this.noted.has(context)) {
      this.noted.add(context);
      this.audit.noteRoots(view);
    }
    this.last = view;
  }

  /**
   * Runs work on the upstreams with the roots of this moment; the work may go on after a legacy
   * client has changed them. Where the client has to be asked for its roots first, the result is
   * that question.
   */
  async use(
    context: RequestContext,
    work: (upstreams: ReadonlyMap<string, Upstream>, view: RootsView) => object | Promise<object>,
  ): Promise<RawResult> {
    for (;;) {
      const turn = await this.host.roots.use<Turn>(
        context,
        view => ({ view, hold: this.take(view, context) }),
        () => ({ view: undefined, hold: undefined }),
      );
      if (!isTurn(turn)) {
        return { ...turn };
      }
      const { view, hold } = turn;
      if (hold && view) {
        try {
          return (await work(this.byName, view)) as RawResult;
        } finally {
          hold.dispose();
        }
      }
      await this.turn(context.mcpReq.signal);
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
    const present = () =>
      work(this.byName, (this.last && whyNoRoots(this.last)) ?? notAnswered) as RawResult;
    try {
      return await Promise.race([
        this.use(context, (upstreams, view) => work(upstreams, whyNoRoots(view))),
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
   * era they have the roots of the call before, and none at first: a server that starts for a list
   * then, or by itself, is told of the roots, or starts once more, with the first call.
   */
  async present(context: RequestContext): Promise<readonly Upstream[]> {
    if (this.host.era === 'legacy') {
      await this.use(context, () => ({}));
    } else {
      this.upstreams.setRoots(this.upstreams.roots ?? [], this.capabilities(context));
    }
    return [...this.byName.values()];
  }

  /**
   * Makes a list of what servers offer.
   *
   * @param list gets what starts an upstream unless it runs, and waits no longer than a list may. That
   * rejects with a {@link HumanError} when the upstream does not run by then.
   */
  async listing<T>(
    signal: AbortSignal,
    list: (ready: (upstream: Upstream) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const tooLate = startDeadline(this.after, longestStart);
    const ready = (upstream: Upstream) =>
      Promise.race([upstream.comeUp(signal), tooLate.over.then(() => throwStarting(upstream))]);
    try {
      return await list(ready);
    } finally {
      tooLate.dispose();
    }
  }

  /** The client's capabilities that servers can use; a modern client declares them per request. */
  private capabilities(context: RequestContext | undefined): UpstreamRelay['capabilities'] {
    return relayedCapabilities(this.host.capabilities(context));
  }
}

function throwStarting({ server }: Upstream): never {
  throw upstreamError(server.name, startingText(server), askAgain);
}

/** One attempt to take the upstreams; without a view, the roots changed while they were read. */
interface Turn {
  readonly hold: IDisposable | undefined;
  readonly view: RootsView | undefined;
}

function isTurn(value: object): value is Turn {
  return 'hold' in value;
}

const notAnswered =
  'The client was asked which folders it shares with the hub, and has not answered yet.';
