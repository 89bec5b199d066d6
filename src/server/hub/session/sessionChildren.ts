import type { ServerContext } from '@modelcontextprotocol/server';
import { eitherSignal } from '../../../base/eitherSignal.ts';
import type { HumanError } from '../../../domain/errors.ts';
import type { After } from '../../after.ts';
import { startDeadline } from '../../roots/deadline.ts';
import { type RootsView, whyNoRoots } from '../../roots/rootsView.ts';
import type { Child } from '../children/child.ts';
import { askAgain, childError, startingText } from '../children/childProblem.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { SessionTenant } from './sessionTenant.ts';

/** What {@link SessionChildren} work with. */
export interface SessionChildrenParts {
  readonly host: HubHost;
  readonly tenant: SessionTenant;
  readonly after: After;
}

/** How long a list waits for a server that is just being started, in milliseconds, and only once. */
const longestStart = 5000;

/**
 * How long a look at the children waits for roots that are being asked for, in milliseconds: most
 * clients answer at once, and what only tells of their state has not to wait for the others.
 */
const longestLook = 1000;

/** The children of a session, for what it asks of several of them. */
export class SessionChildren {
  private readonly parts: SessionChildrenParts;
  /** Those that were waited for in vain, and did not run since. */
  private readonly late = new WeakSet<Child>();

  constructor(parts: SessionChildrenParts) {
    this.parts = parts;
  }

  /** The roots by which children were taken last; `undefined`: there were none yet. */
  get lastView(): RootsView | undefined {
    return this.parts.tenant.lastView;
  }

  /**
   * Runs work on the children for the roots of this moment; it may go on when those have changed.
   * Where the roots have to be asked for first, it answers with that question.
   */
  async use(
    context: ServerContext,
    work: (set: ChildSet, view: RootsView) => object | Promise<object>,
  ): Promise<RawResult> {
    const { host, tenant } = this.parts;
    const take = (view: RootsView): Turn => ({ taken: { set: tenant.take(view, context), view } });
    for (;;) {
      const turn = await host.roots.use(context, take, () => ({ taken: undefined }));
      if (!isTurn(turn)) {
        return { ...turn };
      }
      if (turn.taken) {
        return (await work(turn.taken.set, turn.taken.view)) as RawResult;
      }
    }
  }

  /**
   * Runs work on the children for the roots of this moment, or soon on those that there are; there
   * are none before the roots were known.
   *
   * @param work is told in finished sentences why there are no roots; `undefined`: there are some.
   */
  async look(
    context: ServerContext,
    work: (children: ReadonlyMap<string, Child>, whyNoRoots: string | undefined) => object,
  ): Promise<RawResult> {
    const { tenant, after } = this.parts;
    const tooLate = startDeadline(after, longestLook);
    const present = () => {
      const children = tenant.held?.current?.children ?? new Map<string, Child>();
      const { lastView } = tenant;
      return work(children, (lastView && whyNoRoots(lastView)) ?? notAnswered) as RawResult;
    };
    try {
      return await Promise.race([
        this.use(context, ({ children }, view) => work(children, whyNoRoots(view))),
        tooLate.over.then(present),
      ]);
    } finally {
      tooLate.dispose();
    }
  }

  /** Those that are {@link present}, started as far as that can be. */
  async started(context: ServerContext): Promise<readonly Child[]> {
    const children = await this.present(context);
    // One that fails, or takes long, is told of by its state and holds up nobody.
    await Promise.allSettled(children.map(child => this.ready(child, context.mcpReq.signal)));
    return children;
  }

  /**
   * All of them as they are, for a request that cannot ask for roots. In the modern era they are
   * those of the call before it, and at first those for none: servers that a list starts then, or
   * that start by themselves, run once more for the roots that come with the first call.
   */
  async present(context: ServerContext): Promise<readonly Child[]> {
    const { host, tenant } = this.parts;
    const legacy = host.era === 'legacy' ? await this.legacySet(context) : undefined;
    const { children } = legacy ?? tenant.currentOrWithoutRoots(context);
    return [...children.values()];
  }

  private async legacySet(context: ServerContext): Promise<ChildSet | undefined> {
    let set: ChildSet | undefined;
    await this.use(context, taken => {
      set = taken;
      return {};
    });
    return set;
  }

  /**
   * Starts a child unless it runs, and waits for that no longer than a list may.
   *
   * @throws {HumanError} when it does not run by then, or at once when it did not in time before.
   */
  async ready(child: Child, signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const giveUp = () => {
      this.late.add(child);
      end.abort(stillStarting(child));
    };
    const tooLate = this.parts.after(longestStart, giveUp);
    if (this.late.has(child) && !child.isUp) {
      giveUp();
    }
    const either = eitherSignal(signal, end.signal);
    try {
      await child.comeUp(either.signal);
      this.late.delete(child);
    } finally {
      either.dispose();
      tooLate.dispose();
    }
  }
}

function stillStarting({ server }: Child): HumanError {
  return childError(server.name, startingText(server), askAgain);
}

const notAnswered =
  'The client was asked which folders it shares with the hub, and has not answered yet.';

interface Turn {
  /** `undefined`: the roots changed while they were read. */
  readonly taken: { readonly set: ChildSet; readonly view: RootsView } | undefined;
}

function isTurn(value: object): value is Turn {
  return 'taken' in value;
}
