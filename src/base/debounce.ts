import type { IDisposable } from './disposable.ts';

/** The times of a {@link Debounce}, in milliseconds. */
export interface DebounceTimes {
  /** The wait after the last request of a burst. */
  readonly quiet: number;
  /** The longest wait after the first request, however long the burst goes on. */
  readonly longest: number;
  /** The shortest time from one run to the next. */
  readonly pause?: number;
}

/** Turns a burst of requests into one run of `run`, after the burst. */
export class Debounce implements IDisposable {
  private readonly run: () => void;
  private readonly times: DebounceTimes;
  private isDisposed = false;
  private pending: { timer: NodeJS.Timeout; readonly deadline: number } | undefined;
  private lastRun = Number.NEGATIVE_INFINITY;

  constructor(run: () => void, times: DebounceTimes) {
    this.run = run;
    this.times = times;
  }

  request(): void {
    const { quiet, longest, pause = 0 } = this.times;
    // A request that can't delay the pending run sets no timer, because some callers request often.
    if (this.isDisposed || (this.pending && quiet >= longest)) {
      return;
    }
    const now = Date.now();
    const deadline = this.pending?.deadline ?? now + longest;
    clearTimeout(this.pending?.timer);
    // A clock that was set back must not lengthen the wait.
    const rest = Math.min(pause, this.lastRun + pause - now);
    const wait = Math.max(0, rest, Math.min(quiet, deadline - now));
    this.pending = { timer: setTimeout(() => this.fire(), wait), deadline };
  }

  /** Drops the pending run and all later requests. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.pending?.timer);
    this.pending = undefined;
  }

  private fire(): void {
    this.pending = undefined;
    this.lastRun = Date.now();
    this.run();
  }
}
