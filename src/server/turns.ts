import { WaitingLine } from '../base/waitingLine.ts';

/** How much work a {@link Turns} takes on at a time. */
export interface TurnLimits {
  /** How many works run side by side. */
  readonly running: number;
  /** How many more may wait for one of those to end. */
  readonly waiting: number;
}

/**
 * Runs work side by side up to a limit. What comes on top waits, first come first served, and what
 * comes when too much waits already is turned away, so that no flood takes the memory.
 */
export class Turns {
  private readonly limits: TurnLimits;
  private running = 0;
  private isPaused = false;
  private readonly waiting = new WaitingLine();

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /**
   * What the work comes to, or `busy` when too much waits already: then it was never started.
   * @throws the reason of the signal when that is aborted before the work has started.
   */
  async take<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T | 'busy'> {
    signal.throwIfAborted();
    if (this.hasPlace()) {
      this.running += 1;
    } else if (this.waiting.length < this.limits.waiting) {
      // Settles when a place was handed over.
      await this.waiting.join(signal);
    } else {
      return 'busy';
    }
    try {
      // It may have been aborted between the call for its turn and now.
      signal.throwIfAborted();
      return await work();
    } finally {
      this.passOn();
    }
  }

  /** Starts nothing more for now: what comes waits. What runs goes on. */
  pause(): void {
    this.isPaused = true;
  }

  /** Starts what waits, as far as there are places, and goes on as before. */
  resume(): void {
    this.isPaused = false;
    while (this.waiting.length > 0 && this.hasPlace()) {
      this.running += 1;
      this.passOn();
    }
  }

  private hasPlace(): boolean {
    return !this.isPaused && this.running < this.limits.running;
  }

  /** The place goes to the one who waits longest; nobody who comes now can be faster. */
  private passOn(): void {
    if (this.isPaused || !this.waiting.callNext()) {
      this.running -= 1;
    }
  }
}
