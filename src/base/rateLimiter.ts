import type { IDisposable } from './disposable.ts';

/** The bounds of a {@link RateLimiter}. */
interface Rate {
  /** The most runs within any second. */
  readonly perSecond: number;
  /** The most items that wait for a run. */
  readonly mostWaiting: number;
}

const second = 1000;

/**
 * Limits how often something runs, by batching. An item runs immediately if the rate allows it.
 * Items that come faster, or during a run, wait and share the next run.
 */
export class RateLimiter<T> implements IDisposable {
  private readonly run: (items: readonly T[]) => unknown;
  private readonly rate: Rate;
  /** When the latest runs began, the oldest first: at most as many runs as a second may have. */
  private readonly runs: number[] = [];
  private waiting: T[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isDisposed = false;

  /** @param run may return a promise that never rejects. The next run waits for the promise. */
  constructor(run: (items: readonly T[]) => unknown, rate: Rate) {
    this.run = run;
    this.rate = rate;
  }

  /** Runs an item, or lets it wait for a run. `false`: too many items wait already. */
  add(item: T): boolean {
    if (this.isDisposed || this.waiting.length >= this.rate.mostWaiting) {
      return false;
    }
    this.waiting.push(item);
    // Waiting items come first, even if the timer is late.
    if (!this.timer && !this.isRunning) {
      this.runSoon();
    }
    return true;
  }

  /** Drops the waiting items and takes nothing more. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }

  private timeToNextRun(): number {
    const [oldest] = this.runs;
    const isFree = oldest === undefined || this.runs.length < this.rate.perSecond;
    // A clock that was set back must not lengthen the wait.
    return isFree ? 0 : Math.min(second, oldest + second - Date.now());
  }

  /** Runs the waiting items as soon as the rate allows it. */
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
    if (this.runs.length > this.rate.perSecond) {
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
