/** Options of a {@link TimeSlice}. */
export interface TimeSliceOptions {
  /** The longest time for the work as a whole, in milliseconds. Without it, there is no limit. */
  readonly limit?: number;
  readonly onPause?: () => void;
}

/**
 * Cuts long synchronous work into slices of a few milliseconds. Other calls are served between the
 * slices. At every small step, the work asks whether its slice is spent.
 */
export class TimeSlice {
  private readonly signal: AbortSignal;
  private readonly onPause: () => void;
  private readonly end: number;
  private endOfSlice: number;

  constructor(signal: AbortSignal, options: TimeSliceOptions = {}) {
    const { limit = Number.POSITIVE_INFINITY, onPause = () => {} } = options;
    const now = performance.now();
    this.signal = signal;
    this.onPause = onPause;
    this.end = now + limit;
    this.endOfSlice = now + sliceTime;
  }

  get isSpent(): boolean {
    return performance.now() >= this.endOfSlice;
  }

  /** Whether the current slice is the last, because the work's time limit ends within it. */
  get isOver(): boolean {
    return this.endOfSlice >= this.end;
  }

  /**
   * Pauses if the slice is spent. A loop of tiny steps first checks {@link isSpent}.
   * @throws as {@link pause} does.
   */
  async next(): Promise<void> {
    if (this.isSpent) {
      await this.pause();
    }
  }

  /**
   * Lets other work go on, then begins the next slice.
   * @throws the reason of the signal, if the signal is aborted by then.
   */
  async pause(): Promise<void> {
    this.onPause();
    await new Promise(resolve => setImmediate(resolve));
    this.signal.throwIfAborted();
    this.endOfSlice = performance.now() + sliceTime;
  }
}

/** The length of a slice in milliseconds. Each work that runs can delay a call by one slice. */
const sliceTime = 3;
