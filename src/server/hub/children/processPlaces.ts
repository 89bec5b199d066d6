import { HumanError } from '../../../domain/errors.ts';

/** How many of a hub's children may have a process at a time, whosever they are. */
export class ProcessPlaces {
  private readonly most: number;
  private readonly makeRoom: () => Promise<unknown> | undefined;
  private readonly taken = new Set<object>();

  /** @param makeRoom ends what nobody needs, and settles when that is gone; `undefined`: there is nothing. */
  constructor(most: number, makeRoom: () => Promise<unknown> | undefined) {
    this.most = most;
    this.makeRoom = makeRoom;
  }

  /**
   * Settles when `holder` has a place, which may be one that it has already.
   * @throws {HumanError} when all are taken by what somebody needs.
   */
  async take(holder: object): Promise<void> {
    while (!this.taken.has(holder) && this.taken.size >= this.most) {
      const room = this.makeRoom();
      if (!room) {
        throw new HumanError(
          'The hub runs {0} servers already, and no more at a time. Try again when some of its ' +
            'clients have ended, or take servers out of its configuration.',
          String(this.most),
        );
      }
      await room;
    }
    this.taken.add(holder);
  }

  leave(holder: object): void {
    this.taken.delete(holder);
  }
}
