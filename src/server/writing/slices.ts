import { setImmediate } from 'node:timers/promises';

/** Long work, done in slices so that other work goes on in between. */
export class Slices {
  private readonly signal: AbortSignal;
  private start = performance.now();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Whether this slice has taken its time. */
  get isSpent(): boolean {
    return performance.now() - this.start > sliceTime;
  }

  /**
   * Waits for the next slice when this one has taken its time.
   * @throws the reason of the signal when that is aborted, before anything of the next slice is done.
   */
  async next(): Promise<void> {
    if (this.isSpent) {
      await this.pause();
    }
  }

  /**
   * Lets other work go on, and waits for the next slice.
   * @throws the reason of the signal when that is aborted, before anything of the next slice is done.
   */
  async pause(): Promise<void> {
    await setImmediate();
    this.signal.throwIfAborted();
    this.start = performance.now();
  }
}

/** In milliseconds. */
const sliceTime = 4;
