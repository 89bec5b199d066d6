import type { IDisposable } from './disposable.ts';

/** How long a {@link Debounce} waits, in milliseconds. */
export interface DebounceTimes {
  /** After the last request of a burst. */
  readonly quiet: number;
  /** After the first one, however long the burst goes on. */
  readonly longest: number;
}

/** Turns a burst of requests into one run of `run`, after the burst. */
export class Debounce implements IDisposable {
  private readonly run: () => void;
  private readonly times: DebounceTimes;
  private isDisposed = false;
  private pending: { timer: NodeJS.Timeout; readonly deadline: number } | undefined;

  constructor(run: () => void, times: DebounceTimes) {
    this.run = run;
    this.times = times;
  }

  request(): void {
    if (this.isDisposed) {
      return;
    }
    const { quiet, longest } = this.times;
    const deadline = this.pending?.deadline ?? Date.now() + longest;
    clearTimeout(this.pending?.timer);
    const wait = Math.max(0, Math.min(quiet, deadline - Date.now()));
    this.pending = { timer: setTimeout(() => this.fire(), wait), deadline };
  }

  /** Drops the pending run, and every request from now on. */
  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.pending?.timer);
    this.pending = undefined;
  }

  private fire(): void {
    this.pending = undefined;
    this.run();
  }
}
