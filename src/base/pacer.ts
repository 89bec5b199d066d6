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
 * Runs each item at once as long as the pace allows it. Those that come faster wait, and have one
 * run together as soon as there may be another.
 */
export class Pacer<T> implements IDisposable {
  private readonly run: (items: readonly T[]) => void;
  private readonly pace: Pace;
  /** When the latest runs were, the oldest first; no more of them than a second may have. */
  private readonly runs: number[] = [];
  private waiting: T[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(run: (items: readonly T[]) => void, pace: Pace) {
    this.run = run;
    this.pace = pace;
  }

  /** Whether the item has had its run, or waits for it. `false`: too many wait already. */
  add(item: T): boolean {
    if (this.isDisposed || this.waiting.length >= this.pace.mostWaiting) {
      return false;
    }
    // Who waits comes first, even if the timer is late.
    const wait = this.timer ? second : this.timeToNextRun();
    if (wait <= 0) {
      this.runNow([item]);
      return true;
    }
    this.waiting.push(item);
    this.timer ??= setTimeout(() => this.runWaiting(), wait);
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

  private runWaiting(): void {
    const items = this.waiting;
    this.waiting = [];
    this.timer = undefined;
    this.runNow(items);
  }

  private runNow(items: readonly T[]): void {
    this.runs.push(Date.now());
    if (this.runs.length > this.pace.perSecond) {
      this.runs.shift();
    }
    this.run(items);
  }
}
