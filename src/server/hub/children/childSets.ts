import { type IDisposable, toDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { HumanError } from '../../../domain/errors.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import { childLogLevel } from '../expose/childLogs.ts';
import { Reaper } from '../reaper.ts';
import type { Child, ChildParts } from './child.ts';
import { ChildSet } from './childSet.ts';
import { type Landlord, Tenant } from './tenant.ts';

/** What the children of a hub are made with. */
export type ChildSetsParts = Omit<ChildParts, 'live' | 'newId' | 'reaper' | 'logger'> & {
  readonly logger: Logger;
};

/** A set, and who holds it. */
interface Seat {
  key: string;
  readonly set: ChildSet;
  readonly tenants: Set<Tenant>;
  /** Set while nobody holds it: what is going to end it. */
  idle: IDisposable | undefined;
}

const mostSets = 32;
const longestIdle = 5 * 60_000;

/**
 * All children of a hub, in sets: one for each list of roots that a tenant has, since no server
 * can keep two of them apart.
 */
export class ChildSets implements Landlord {
  private readonly parts: ChildParts;
  private readonly reaper: Reaper;
  private readonly seats = new Map<string, Seat>();
  private readonly held = new Map<Tenant, Seat>();
  private readonly live = new Set<Child>();
  private servers: readonly HubServer[] = [];
  private lastId = 0;
  private isClosed = false;

  constructor(parts: ChildSetsParts) {
    this.reaper = new Reaper(parts.logger);
    const newId = () => {
      this.lastId += 1;
      return String(this.lastId);
    };
    this.parts = { ...parts, reaper: this.reaper, live: this.live, newId };
  }

  /** Takes on a configuration: children that it leaves as they were go on running. */
  setServers(servers: readonly HubServer[]): void {
    this.servers = servers;
    for (const { set, tenants } of this.seats.values()) {
      set.setServers(servers);
      if (tenants.size > 0) {
        set.startThoseByThemselves();
      }
    }
  }

  /** @param relay answers what servers ask of the tenant while they work for nobody else. */
  tenant(relay: ClientRelay): Tenant {
    return new Tenant(relay, this);
  }

  /** Keeps the children of a set from being ended because nobody holds it. */
  keep(set: ChildSet): IDisposable {
    const seat = [...this.seats.values()].find(one => one.set === set);
    if (!seat) {
      return toDisposable(() => {});
    }
    const keeper = this.tenant(nobody);
    this.take(seat, keeper);
    return keeper;
  }

  seat(tenant: Tenant, roots: readonly RootFolder[]): ChildSet {
    const key = keyOf(roots, tenant.relay);
    const current = this.held.get(tenant);
    if (current?.key === key) {
      return current.set;
    }
    if (current?.tenants.size === 1 && !this.seats.has(key)) {
      this.move(current, key, roots);
      return current.set;
    }
    this.leave(tenant);
    const seat = this.seats.get(key) ?? this.newSeat(key, roots, tenant.relay);
    this.take(seat, tenant);
    return seat.set;
  }

  leave(tenant: Tenant): void {
    const seat = this.held.get(tenant);
    this.held.delete(tenant);
    seat?.tenants.delete(tenant);
    if (seat?.tenants.size === 0) {
      seat.idle = this.parts.after(longestIdle, () => void this.end(seat));
      // The longest idle one stands first among its like.
      this.seats.delete(seat.key);
      this.seats.set(seat.key, seat);
    } else if (seat) {
      this.setLevelOf(seat);
    }
  }

  setLogLevel(tenant: Tenant): void {
    const seat = this.held.get(tenant);
    if (seat) {
      this.setLevelOf(seat);
    }
  }

  /** Ends all children, side by side. Settles when nothing of them is left. */
  async close(): Promise<void> {
    this.isClosed = true;
    const sets = [...this.seats.values()].map(seat => this.end(seat));
    await Promise.all([...sets, ...[...this.live].map(child => child.retire(ending))]);
    this.reaper.dispose();
  }

  /** Ends all children at once. For the last moment of our own process. */
  kill(): void {
    this.isClosed = true;
    for (const child of this.live) {
      child.kill();
    }
    this.reaper.dispose();
  }

  private move(seat: Seat, key: string, roots: readonly RootFolder[]): void {
    this.seats.delete(seat.key);
    seat.key = key;
    this.seats.set(key, seat);
    seat.set.moveTo(roots);
    seat.set.startThoseByThemselves();
  }

  private take(seat: Seat, tenant: Tenant): void {
    seat.idle?.dispose();
    seat.idle = undefined;
    seat.tenants.add(tenant);
    this.held.set(tenant, seat);
    this.setLevelOf(seat);
    seat.set.startThoseByThemselves();
  }

  private newSeat(key: string, roots: readonly RootFolder[], { capabilities }: ClientRelay): Seat {
    if (this.isClosed) {
      throw new HumanError('The hub is ending.');
    }
    if (this.seats.size >= mostSets) {
      this.giveWay();
    }
    const set = new ChildSet({ roots, capabilities }, this.servers, this.parts);
    const seat: Seat = { key, set, tenants: new Set(), idle: undefined };
    this.seats.set(key, seat);
    return seat;
  }

  private giveWay(): void {
    const longest = [...this.seats.values()].find(({ idle }) => idle);
    if (!longest) {
      throw new HumanError(
        'The hub serves {0} clients with different roots already, and no more at a time.',
        String(mostSets),
      );
    }
    void this.end(longest);
  }

  private async end(seat: Seat): Promise<void> {
    seat.idle?.dispose();
    this.seats.delete(seat.key);
    await seat.set.close(this.isClosed ? ending : unused);
  }

  private setLevelOf({ set, tenants }: Seat): void {
    set.setLogLevel(childLogLevel([...tenants].map(({ logLevel }) => logLevel)));
  }
}

const nobody: ClientRelay = {
  capabilities: {},
  answer: () => Promise.reject(new Error('There is nobody to ask.')),
};

const ending = 'was ended, because the hub is ending';
const unused = 'was ended, because nobody used it';

/** Equal for roots and clients that can share children. */
function keyOf(roots: readonly RootFolder[], { capabilities }: ClientRelay): string {
  return JSON.stringify([
    roots.map(({ real, uri, name }) => [real, uri, name ?? null]),
    capabilities,
  ]);
}
