/** Where one set of children at a time has its processes. */
export interface SetPlace {
  /** Settles when nothing is left of the sets that had it before. */
  readonly free: Promise<unknown>;
}

/**
 * As many places as there may be sets of children. A set that ends leaves its place to another one
 * at once, whose processes come when its own are gone: there are never more of them.
 */
export class SetPlaces {
  private readonly left: SetPlace[];

  constructor(count: number) {
    this.left = Array.from({ length: count }, () => ({ free: Promise.resolve() }));
  }

  /** The one that was left for the longest time. There has to be one. */
  take(): SetPlace {
    const place = this.left.shift();
    if (!place) {
      throw new Error('All places are taken.');
    }
    return place;
  }

  /** @param gone settles when nothing is left of the set that had it. Never rejects. */
  leave({ free }: SetPlace, gone: Promise<void>): void {
    this.left.push({ free: Promise.all([free, gone]) });
  }
}
