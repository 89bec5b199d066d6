import { type IDisposable, toDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { HumanError } from '../../../domain/errors.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { ProcessOwner } from '../../../mcp/stdio/processOwner.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import type { CallerRelay } from './callsInFlight.ts';
import type { Child, ChildParts } from './child.ts';
import { ChildSet } from './childSet.ts';
import { EmptyFolder } from './emptyFolder.ts';
import { IdleSeats } from './idleSeats.ts';
import { ProcessPlaces } from './processPlaces.ts';
import { type Holder, Seat } from './seat.ts';
import { canBeAsked, setKey } from './setKey.ts';
import { givesWay, mostSets } from './setLimits.ts';
import { SetPlaces } from './setPlaces.ts';
import { type Landlord, Tenant, type TenantClient } from './tenant.ts';

/** What the children of a hub are made with. */
export type ChildSetsParts = Omit<
  ChildParts,
  'live' | 'newId' | 'owner' | 'places' | 'askers' | 'emptyFolder' | 'logger'
> & {
  readonly logger: Logger;
  /** How many children may have a process at a time; `undefined`: 256. */
  readonly mostProcesses?: number | undefined;
};

/**
 * All children of a hub, in sets: one for each list of roots that a tenant has, since no server
 * can keep two of them apart.
 */
export class ChildSets implements Landlord {
  private readonly parts: ChildParts;
  /** Made when the first child is to be started. */
  private owner: ProcessOwner | undefined;
  private readonly emptyFolder = new EmptyFolder();
  private readonly seats = new Set<Seat>();
  private readonly held = new Map<Tenant, Seat>();
  private readonly idle: IdleSeats;
  private readonly places = new SetPlaces(mostSets);
  private readonly live = new Set<Child>();
  private servers: readonly HubServer[] = [];
  private lastId = 0;
  private isClosed = false;

  constructor({ mostProcesses = 256, ...parts }: ChildSetsParts) {
    this.idle = new IdleSeats(parts.after, seat => void this.end(seat));
    this.parts = {
      ...parts,
      owner: ({ ProcessOwner }) => {
        this.owner ??= new ProcessOwner('hub', parts.logger);
        return this.owner;
      },
      emptyFolder: this.emptyFolder,
      places: new ProcessPlaces(mostProcesses, () => this.endLongestWithProcess()),
      live: this.live,
      askers: new Set(),
      newId: () => this.newId(),
    };
  }

  /** Takes on a configuration: children that it leaves as they were go on running. */
  setServers(servers: readonly HubServer[]): void {
    this.servers = servers;
    for (const { set, isIdle } of this.seats) {
      set.setServers(servers);
      if (!isIdle) {
        set.startThoseByThemselves();
      }
    }
  }

  /**
   * @param relay answers what servers ask of the tenant while they work for nobody else.
   * @param client `undefined`: a session of its own.
   */
  tenant(relay: CallerRelay, client?: TenantClient): Tenant {
    return new Tenant(relay, client ?? { kind: 'session', id: this.newId() }, this);
  }

  /** Keeps the children of a set from being ended or moved because no tenant holds it. */
  keep(set: ChildSet): IDisposable {
    const seat = [...this.seats].find(one => one.set === set);
    if (!seat) {
      return toDisposable(() => {});
    }
    const keeper: Holder = { logLevel: undefined };
    this.take(seat, keeper);
    return toDisposable(() => this.vacate(seat, keeper));
  }

  seat(tenant: Tenant, roots: readonly RootFolder[], server?: string): ChildSet {
    const key = setKey(roots, tenant);
    const fits = (seat: Seat) => seat.key === key && isOpen(seat, tenant, server);
    const current = this.held.get(tenant);
    if (current && fits(current)) {
      return current.set;
    }
    const other = [...this.seats].find(fits);
    if (!other && tenant.client.kind === 'session' && current?.isOnlyOf(tenant)) {
      move(current, key, roots);
      return current.set;
    }
    this.leave(tenant);
    const seat = other ?? this.newSeat(key, roots, tenant);
    this.held.set(tenant, seat);
    this.take(seat, tenant);
    return seat.set;
  }

  leave(tenant: Tenant): void {
    const seat = this.held.get(tenant);
    this.held.delete(tenant);
    if (seat) {
      const { isDisposed, client } = tenant;
      // Nobody else would ever be given what was one session's own.
      seat.hasFuture &&= !(isDisposed && client.kind === 'session' && canBeAsked(tenant));
      this.vacate(seat, tenant);
    }
  }

  setLogLevel(tenant: Tenant): void {
    this.held.get(tenant)?.setLogLevel();
  }

  /** Ends all children, side by side. Settles when nothing of them is left. */
  async close(): Promise<void> {
    this.isClosed = true;
    const sets = [...this.seats].map(seat => this.end(seat));
    await Promise.all([...sets, ...[...this.live].map(child => child.retire(ending))]);
    await this.emptyFolder.remove();
    this.owner?.dispose();
  }

  private newId(): string {
    this.lastId += 1;
    return String(this.lastId);
  }

  private take(seat: Seat, holder: Holder): void {
    this.idle.delete(seat);
    seat.take(holder);
  }

  private vacate(seat: Seat, holder: Holder): void {
    seat.leave(holder);
    if (seat.isIdle && this.seats.has(seat)) {
      if (seat.hasFuture) {
        this.idle.add(seat);
      } else {
        void this.end(seat);
      }
    }
  }

  private newSeat(key: string, roots: readonly RootFolder[], { relay, client }: Tenant): Seat {
    if (this.isClosed) {
      throw new HumanError('The hub is ending.');
    }
    const isOfRequest = client.kind === 'request';
    const inTheWay = givesWay([...this.seats], this.idle, isOfRequest);
    if (inTheWay) {
      void this.end(inTheWay);
    }
    const place = this.places.take();
    const subject = { roots, capabilities: relay.capabilities, predecessor: place.free };
    const set = new ChildSet(subject, this.servers, this.parts);
    const seat = new Seat(key, { set, place, isOfRequest });
    this.seats.add(seat);
    return seat;
  }

  /** `undefined`: there is none; otherwise it settles when nothing is left of that. */
  private endLongestWithProcess(): Promise<void> | undefined {
    const longest = this.idle.longest(hasProcess);
    return longest && this.end(longest);
  }

  private end(seat: Seat): Promise<void> {
    this.idle.delete(seat);
    const gone = seat.set.close(this.isClosed ? ending : unused);
    if (this.seats.delete(seat)) {
      this.places.leave(seat.place, gone);
    }
    return gone;
  }
}

const ending = 'was ended, because the hub is ending';
const unused = 'was ended, because nobody used it';

function move(seat: Seat, key: string, roots: readonly RootFolder[]): void {
  seat.key = key;
  seat.set.moveTo(roots);
  seat.set.startThoseByThemselves();
}

/** Whether what its servers ask can be about nobody but this tenant. */
function isOpen({ set }: Seat, tenant: Tenant, server: string | undefined): boolean {
  const isAnybody = tenant.client.kind === 'request' && canBeAsked(tenant);
  return !(isAnybody && server !== undefined && set.children.get(server)?.isSpokenFor);
}

function hasProcess({ set }: Seat): boolean {
  return [...set.children.values()].some(
    ({ isLive, server }) => isLive && server.launch.type === 'stdio',
  );
}
