import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
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

/** How long a list waits for servers that are just being started, in milliseconds. */
const longestStart = 10_000;

/** The children of a session, for what it asks of several of them. */
export class SessionChildren {
  private readonly parts: SessionChildrenParts;

  constructor(parts: SessionChildrenParts) {
    this.parts = parts;
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
    await this.start(children, context.mcpReq.signal);
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

  /** One that fails, or takes long, is told of by its state and holds up nobody. */
  private async start(children: readonly Child[], signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const callOff = () => end.abort();
    const timer: IDisposable = this.parts.after(longestStart, callOff);
    signal.addEventListener('abort', callOff, { once: true });
    await Promise.allSettled(children.map(child => child.prepare(end.signal)));
    signal.removeEventListener('abort', callOff);
    timer.dispose();
  }
}

/** `undefined`: the roots changed while they were read. */
interface Taken {
  readonly set: ChildSet | undefined;
}

function isTaken(value: object): value is Taken {
  return 'set' in value;
}
