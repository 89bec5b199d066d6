import { toDisposable } from './disposable.ts';

/** The bounds of a {@link Limiter}. */
export interface Limits {
  /** Limit of works that run side by side. */
  readonly running: number;
  /** Limit of works that wait; without it, any number. */
  readonly waiting?: number;
  /** A work that runs longer makes room for the next, in milliseconds; without it, never. */
  readonly longest?: number;
  /** Each work begins in its own turn of the event loop: for work that blocks it. */
  readonly isSpread?: boolean;
}

/**
 * Runs work side by side up to a limit. More of it waits in its order, or is turned away, so that no
 * flood takes the memory.
 */
export class Limiter {
  private readonly limits: Limits;
  private readonly queue = new WaitingLine();
  private running = 0;
  private isPaused = false;
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * The result of the work, or `busy` when too much waits already: then it was never started.
   * @throws the reason of the signal when that is aborted before the work has started.
   */
  async run<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T | 'busy'> {
    const { waiting = Number.POSITIVE_INFINITY, longest, isSpread } = this.limits;
    signal?.throwIfAborted();
    if (this.hasPlace()) {
      this.running += 1;
    } else if (this.queue.length < waiting) {
      // Settles when a place was handed over.
      await this.queue.join(signal);
      // Not in the turn in which another work ended: one after the other, all that wait would have
      // a single turn, and nothing that comes in meanwhile would be heard.
      await nextTurn();
    } else {
      return 'busy';
    }
    const place = toDisposable(() => this.passOn());
    let timer: NodeJS.Timeout | undefined;
    try {
      if (isSpread) {
        await this.ownTurn();
      }
      // It may have been aborted between the call for its turn and now.
      signal?.throwIfAborted();
      timer = longest === undefined ? undefined : setTimeout(() => place.dispose(), longest);
      return await work();
    } finally {
      clearTimeout(timer);
      place.dispose();
    }
  }

  /** Starts nothing more for now: new work waits, running work goes on. */
  pause(): void {
    this.isPaused = true;
  }

  /** Starts the waiting work, as far as there are places, and goes on as before. */
  resume(): void {
    this.isPaused = false;
    while (this.queue.length > 0 && this.hasPlace()) {
      this.running += 1;
      this.passOn();
    }
  }

  private hasPlace(): boolean {
    return !this.isPaused && this.running < this.limits.running;
  }

  /** The place goes to the work that waits longest; none that comes now can be faster. */
  private passOn(): void {
    if (this.isPaused || !this.queue.callNext()) {
      this.running -= 1;
    }
  }

  private async ownTurn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(nextTurn);
    await this.lastTurn;
  }
}

/** A queue of promises, each of which settles when it is called, in the order in which they came. */
export class WaitingLine {
  private readonly waiting = new Set<() => void>();

  get length(): number {
    return this.waiting.size;
  }

  /**
   * Joins the queue; settles when called.
   *
   * @throws the reason of the signal when that is aborted before, which leaves the queue.
   */
  async join(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(call);
        reject(signal?.reason);
      };
      const call = () => {
        this.waiting.delete(call);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.add(call);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Calls the one that waits longest. Answers whether there is one. */
  callNext(): boolean {
    const [next] = this.waiting;
    next?.();
    return next !== undefined;
  }

  /** Calls all that wait now. */
  callAll(): void {
    for (const call of [...this.waiting]) {
      call();
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
