import type { LogLevel } from '../../../domain/logLevels.ts';
import { childLogLevel } from '../expose/childLogs.ts';
import type { ChildSet } from './childSet.ts';
import type { SetPlace } from './setPlaces.ts';

/** Who needs a set, and which log messages of it. */
export interface Holder {
  /** The least level; `undefined`: none at all. */
  readonly logLevel: LogLevel | undefined;
}

/** What a {@link Seat} is made of. */
export interface SeatParts {
  readonly set: ChildSet;
  readonly place: SetPlace;
  /** Whether it was made for a request that belongs to no session. */
  readonly isOfRequest: boolean;
}

/** A set of children, and who holds it. */
export class Seat {
  readonly set: ChildSet;
  readonly place: SetPlace;
  readonly isOfRequest: boolean;
  /** For whom it is: see `setKey`. */
  key: string;
  /** Whether somebody may take it when nobody holds it. */
  hasFuture = true;
  private readonly holders = new Set<Holder>();

  constructor(key: string, { set, place, isOfRequest }: SeatParts) {
    this.key = key;
    this.set = set;
    this.place = place;
    this.isOfRequest = isOfRequest;
  }

  get isIdle(): boolean {
    return this.holders.size === 0;
  }

  isOnlyOf(holder: Holder): boolean {
    return this.holders.size === 1 && this.holders.has(holder);
  }

  take(holder: Holder): void {
    this.holders.add(holder);
    this.setLogLevel();
    this.set.startThoseByThemselves();
  }

  leave(holder: Holder): void {
    this.holders.delete(holder);
    if (!this.isIdle) {
      this.setLogLevel();
    }
  }

  /** Asks the children for the log messages that any of the holders wants. */
  setLogLevel(): void {
    this.set.setLogLevel(childLogLevel([...this.holders].map(({ logLevel }) => logLevel)));
  }
}
