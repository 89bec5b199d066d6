import type { IDisposable } from '../../../base/disposable.ts';
import type { After } from '../../after.ts';
import type { Seat } from './seat.ts';

const longestIdle = 5 * 60_000;

/** The sets that nobody holds, until somebody takes them, they give way to others, or their time is over. */
export class IdleSeats {
  private readonly after: After;
  private readonly end: (seat: Seat) => void;
  /** The longest idle one first. */
  private readonly timers = new Map<Seat, IDisposable>();

  constructor(after: After, end: (seat: Seat) => void) {
    this.after = after;
    this.end = end;
  }

  add(seat: Seat): void {
    this.timers.set(
      seat,
      this.after(longestIdle, () => this.end(seat)),
    );
  }

  /** It is taken, or has ended. */
  delete(seat: Seat): void {
    this.timers.get(seat)?.dispose();
    this.timers.delete(seat);
  }

  /** The one of those that fit that has been idle for the longest time. */
  longest(fits: (seat: Seat) => boolean): Seat | undefined {
    return [...this.timers.keys()].find(fits);
  }
}
