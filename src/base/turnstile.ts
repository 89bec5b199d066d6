import { within } from './within.ts';

/** How much a {@link Turnstile} lets through. */
export interface TurnstileTimes {
  /** How many works may be inside at once. */
  readonly atOnce: number;
  /** After how many milliseconds a work that still runs makes room for the next. */
  readonly longest: number;
}

/**
 * Lets works in one after the other, in the order in which they came: for what is slow when much of
 * it is done at once, and blocks the event loop. Each begins in a turn of the loop of its own.
 */
export class Turnstile {
  private readonly times: TurnstileTimes;
  private readonly waiting: (() => void)[] = [];
  private inside = 0;
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(times: TurnstileTimes) {
    this.times = times;
  }

  /** Runs the work when it is its turn; settles as the work does. A failure lets the next in, too. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    const result = work();
    const isOver = result.then(
      () => {},
      () => {},
    );
    void within(isOver, this.times.longest, undefined).then(() => this.leave());
    return result;
  }

  private async enter(): Promise<void> {
    if (this.inside >= this.times.atOnce) {
      // Whoever leaves keeps the place for the one that is let in.
      await new Promise<void>(resolve => this.waiting.push(resolve));
    } else {
      this.inside += 1;
    }
    this.lastTurn = this.lastTurn.then(() => new Promise(resolve => setImmediate(resolve)));
    await this.lastTurn;
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.inside -= 1;
    }
  }
}
