import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ChildSets } from '../children/childSets.ts';
import type { Tenant } from '../children/tenant.ts';
import type { HubHost } from '../hubHost.ts';
import { type ClientOffers, offersOf, type RelayToClient } from './relayToClient.ts';
import type { RootsRecord } from './rootsRecord.ts';

/** What a {@link SessionTenant} works with. */
export interface SessionTenantParts {
  readonly host: HubHost;
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

  /** Children are held in another name from now on; what was told of the earlier ones is over. */
  readonly onDidBegin: Event<Tenant> = this.didBegin.event;

  constructor(parts: SessionTenantParts) {
    this.parts = parts;
  }

  /** `undefined` before the roots were known for the first time. */
  get held(): Tenant | undefined {
    return this.tenant;
  }

  /**
   * The children for the roots of this moment; without a context, these have just been answered.
   * @throws {HumanError} when there are too many sets of children already.
   */
  take(view: RootsView, context: ServerContext | undefined): ChildSet {
    const { host, record } = this.parts;
    if (this.isNew(view, context)) {
      record.note(view);
    }
    return this.tenantFor(offersOf(host.capabilities(context))).use(view.folders.scope.roots);
  }

  /** For a request that can't ask for roots: those that were taken last, at first those for none. */
  currentOrWithoutRoots(context: ServerContext): ChildSet {
    const offers = offersOf(this.parts.host.capabilities(context));
    return this.tenant?.current ?? this.tenantFor(offers).use([]);
  }

  dispose(): void {
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

  private tenantFor(offers: ClientOffers): Tenant {
    const key = JSON.stringify(offers);
    if (this.tenant && key === this.offers) {
      return this.tenant;
    }
    const { sets, relay } = this.parts;
    const before = this.tenant;
    this.offers = key;
    this.tenant = sets.tenant(relay.of(offers));
    before?.dispose();
    this.didBegin.fire(this.tenant);
    return this.tenant;
  }
}
