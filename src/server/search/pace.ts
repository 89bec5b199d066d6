import { setImmediate } from 'node:timers/promises';

/**
 * Cuts long synchronous work into slices of a few milliseconds, between which other calls are
 * served. Whoever works asks at every small step whether the slice is spent.
 */
export class Pace {
  private readonly signal: AbortSignal;
  private readonly onPause: () => void;
  private readonly end: number;
  private endOfSlice: number;

  /** `limit`: after how many milliseconds the work as a whole is over. */
  constructor(signal: AbortSignal, limit: number, onPause: () => void = () => {}) {
    const now = performance.now();
    this.signal = signal;
    this.onPause = onPause;
    this.end = now + limit;
    this.endOfSlice = now + sliceTime;
  }

  /** Whether it is time to pause. */
  get isSpent(): boolean {
    return performance.now() >= this.endOfSlice;
  }

  /** Whether the work as a whole has had its time. */
  get isOver(): boolean {
    return this.endOfSlice >= this.end;
  }

  /** @throws the reason of the signal, when that was aborted meanwhile. */
  async pause(): Promise<void> {
    this.onPause();
    await setImmediate();
    this.signal.throwIfAborted();
    this.endOfSlice = performance.now() + sliceTime;
  }
}

/** In milliseconds. Several searches may have a slice each before another call gets its turn. */
const sliceTime = 3;
