import type { IDisposable } from './disposable.ts';

/** How much a {@link Pacer} lets through. */
export interface Pace {
  /** How many runs there may be within any second. */
  readonly perSecond: number;
  /** How many items may wait for a run. */
  readonly mostWaiting: number;
}

const second = 1000;

/**
 * Runs each item at once as long as the pace allows it. Those that come faster, or during a run that
 * takes its time, wait, and have one run together as soon as there may be another.
 */
export class Pacer<T> implements IDisposable {
  private readonly run: (items: readonly T[]) => unknown;
  private readonly pace: Pace;
  /** When the latest runs were, the oldest first; no more of them than a second may have. */
  private readonly runs: number[] = [];
  private waiting: T[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isDisposed = false;

  /** @param run may return a promise, which must not reject: until it settles there is no other run. */
  constructor(run: (items: readonly T[]) => unknown, pace: Pace) {
    this.run = run;
    this.pace = pace;
  }

  /** Whether the item has had its run, or waits for it. `false`: too many wait already. */
  add(item: T): boolean {
    if (this.isDisposed || this.waiting.length >= this.pace.mostWaiting) {
      return false;
    }
    this.waiting.push(item);
    // Who waits comes first, even if the timer is late.
    if (!this.timer && !this.isRunning) {
      this.runSoon();
    }
    return true;
  }

  /** Drops what waits, and takes nothing more. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }

  private timeToNextRun(): number {
    const [oldest] = this.runs;
    const isFree = oldest === undefined || this.runs.length < this.pace.perSecond;
    // A clock that was set back must not make anything wait longer than it would have to.
    return isFree ? 0 : Math.min(second, oldest + second - Date.now());
  }

  /** Runs what waits, at once or as soon as the pace allows it. */
  private runSoon(): void {
    const wait = this.timeToNextRun();
    if (wait <= 0) {
      this.runNow();
    } else {
      this.timer = setTimeout(() => this.runNow(), wait);
    }
  }

  private runNow(): void {
    const items = this.waiting;
    this.waiting = [];
    this.timer = undefined;
    this.runs.push(Date.now());
    if (this.runs.length > this.pace.perSecond) {
      this.runs.shift();
    }
    const running = this.run(items);
    if (running instanceof Promise) {
      this.isRunning = true;
      void running.then(() => this.endRun());
    }
  }

  private endRun(): void {
    this.isRunning = false;
    if (this.waiting.length > 0) {
      this.runSoon();
    }
  }
}
