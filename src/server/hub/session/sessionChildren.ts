import type { ServerContext } from '@modelcontextprotocol/server';
import { eitherSignal } from '../../../base/eitherSignal.ts';
import { HumanError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/printable.ts';
import type { After } from '../../after.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { Child } from '../children/child.ts';
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
    work: (set: ChildSet) => object | Promise<object>,
  ): Promise<RawResult> {
    const { host, tenant } = this.parts;
    const take = (view: RootsView): Taken => ({ set: tenant.take(view, context) });
    for (;;) {
      const taken = await host.roots.use(context, take, () => ({ set: undefined }));
      if (!isTaken(taken)) {
        return { ...taken };
      }
      if (taken.set) {
        return (await work(taken.set)) as RawResult;
      }
    }
  }

  /**
   * All of them, started as far as that can be, for a request that cannot ask for roots: in the
   * modern era they are those of the call before it, and at first none.
   */
  async started(context: ServerContext): Promise<readonly Child[]> {
    const legacy = this.parts.host.era === 'legacy' ? await this.legacySet(context) : undefined;
    const children = legacy ? [...legacy.children.values()] : this.present(context);
    // One that fails, or takes long, is told of by its state and holds up nobody.
    await Promise.allSettled(children.map(child => this.ready(child, context.mcpReq.signal)));
    return children;
  }

  /** All of them as they are, by the roots that were last known. */
  present(context: ServerContext): readonly Child[] {
    return [...this.parts.tenant.currentOrWithoutRoots(context).children.values()];
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
    if (this.late.has(child)) {
      giveUp();
    }
    const either = eitherSignal(signal, end.signal);
    try {
      await child.prepare(either.signal);
      this.late.delete(child);
    } finally {
      either.dispose();
      tooLate.dispose();
    }
  }
}

function stillStarting({ server }: Child): HumanError {
  const name = printable(server.name);
  return new HumanError('The server "{0}" is still starting. Ask again in a moment.', name);
}

/** `undefined`: the roots changed while they were read. */
interface Taken {
  readonly set: ChildSet | undefined;
}

function isTaken(value: object): value is Taken {
  return 'set' in value;
}
