import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { HumanError } from '../../../domain/errors.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ChildSets } from '../children/childSets.ts';
import type { Tenant, TenantClient } from '../children/tenant.ts';
import type { HubHost } from '../hubHost.ts';
import { offersOf, type RelayToClient } from './relayToClient.ts';
import type { RootsRecord } from './rootsRecord.ts';
import { SetLease } from './setLease.ts';

/** What a {@link SessionTenant} works with. */
export interface SessionTenantParts {
  readonly host: HubHost;
  /** Its name, which no other session has. */
  readonly session: string;
  readonly sets: ChildSets;
  readonly relay: RelayToClient;
  readonly record: RootsRecord;
}

/** The children of one session: another set with other roots, or with a client that offers more. */
export class SessionTenant implements IDisposable {
  private readonly parts: SessionTenantParts;
  private readonly didBegin = new Emitter<Tenant>();
  private readonly recorded = new WeakSet<ServerContext>();
  private offers = '';
  private tenant: Tenant | undefined;
  private last: RootsView | undefined;
  private isDisposed = false;

  /** Children are held in another name from now on; what was told of the earlier ones is over. */
  readonly onDidBegin: Event<Tenant> = this.didBegin.event;

  constructor(parts: SessionTenantParts) {
    this.parts = parts;
  }

  /** `undefined` before the roots were known for the first time. */
  get held(): Tenant | undefined {
    return this.tenant;
  }

  /** The roots by which children were taken last; `undefined`: there were none yet. */
  get lastView(): RootsView | undefined {
    return this.last;
  }

  /**
   * The children for the roots of this moment; without a context, these have just been answered.
   * @param server the one that is going to be called.
   * @throws {HumanError} when there are too many sets of children already, or the session is over.
   */
  take(view: RootsView, context: ServerContext | undefined, server?: string): ChildSet {
    const tenant = this.tenantFor(context);
    this.note(view, context);
    return tenant.use(view.folders.scope.roots, server);
  }

  /** Takes down roots that come with a call, or are those of all calls from now on. */
  note(view: RootsView, context: ServerContext | undefined): void {
    if (view !== this.last && this.isNew(view, context)) {
      this.parts.record.note(view);
    }
    this.last = view;
  }

  /** Keeps the set of a call, whatever roots come with the next ones. */
  lease(): SetLease {
    const { sets, host } = this.parts;
    // The roots of a legacy session are those of all its calls, and its set moves with them.
    return new SetLease(host.era === 'modern' ? sets : undefined);
  }

  /** For a request that can't ask for roots: those that were taken last, at first those for none. */
  currentOrWithoutRoots(context: ServerContext): ChildSet {
    return this.tenant?.current ?? this.tenantFor(context).use([]);
  }

  /** What still goes on in the session gets no children any more, which nobody would let go of. */
  dispose(): void {
    this.isDisposed = true;
    this.tenant?.dispose();
    this.tenant = undefined;
    this.didBegin.dispose();
  }

  /** A legacy answer comes outside of calls, a modern one with a call, which may take several turns. */
  private isNew({ era }: RootsView, context: ServerContext | undefined): boolean {
    if (!context) {
      return true;
    }
    const isFirst = era === 'modern' && !this.recorded.has(context);
    this.recorded.add(context);
    return isFirst;
  }

  private tenantFor(context: ServerContext | undefined): Tenant {
    if (this.isDisposed) {
      throw new HumanError('The session has ended.');
    }
    const { host, sets, relay } = this.parts;
    const offers = offersOf(host.capabilities(context));
    const key = JSON.stringify(offers);
    if (this.tenant && key === this.offers) {
      return this.tenant;
    }
    const before = this.tenant;
    this.offers = key;
    this.tenant = sets.tenant(relay.of(offers), this.clientOf(context));
    before?.dispose();
    this.didBegin.fire(this.tenant);
    return this.tenant;
  }

  private clientOf(context: ServerContext | undefined): TenantClient {
    const { host, session: id } = this.parts;
    if (host.era === 'legacy') {
      return { kind: 'session', id };
    }
    return { kind: context?.http ? 'request' : 'connection', id };
  }
}
