import { toDisposable } from './disposable.ts';

/** The bounds of a {@link Limiter}. */
export interface Limits {
  /** Limit of works that run side by side. */
  readonly running: number;
  /** Limit of works of one owner that wait; without it, any number. */
  readonly waiting?: number;
  /** A work that runs longer makes room for the next, in milliseconds; without it, never. */
  readonly longest?: number;
  /** Each work begins in its own turn of the event loop: for work that blocks it. */
  readonly isSpread?: boolean;
}

/**
 * Runs work side by side up to a limit. More of it waits, or is turned away, so that no flood takes the
 * memory. Owners take turns, and the works of one keep their order.
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
   *
   * @param work may give up its place before it ends, by `leave`: for what waits elsewhere.
   * @param owner whose work it is; left out: all such works have one owner.
   * @throws the reason of the signal when that is aborted before the work has started.
   */
  async run<T>(
    work: (leave: () => void) => T | Promise<T>,
    signal?: AbortSignal,
    owner?: unknown,
  ): Promise<T | 'busy'> {
    const { waiting = Number.POSITIVE_INFINITY, longest, isSpread } = this.limits;
    signal?.throwIfAborted();
    if (this.hasPlace()) {
      this.running += 1;
    } else if (this.queue.lengthOf(owner) < waiting) {
      // Settles when a place was handed over.
      await this.queue.join(signal, owner);
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
      return await work(() => place.dispose());
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
    while (!this.queue.isEmpty && this.hasPlace()) {
      this.running += 1;
      this.passOn();
    }
  }

  private hasPlace(): boolean {
    return !this.isPaused && this.running < this.limits.running;
  }

  /** The place goes to a work that waits; none that comes now can be faster. */
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

/** A queue of promises, each of which settles when it is called. */
export class WaitingLine {
  /** By their owners, the one that is called next first; none is empty. */
  private readonly waiting = new Map<unknown, Set<() => void>>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  lengthOf(owner: unknown): number {
    return this.waiting.get(owner)?.size ?? 0;
  }

  /**
   * Joins the queue; settles when called: owners take turns, and each has an order of its own.
   *
   * @throws the reason of the signal when that is aborted before, which leaves the queue.
   */
  async join(signal?: AbortSignal, owner?: unknown): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.remove(call, owner);
        reject(signal?.reason);
      };
      const call = () => {
        this.remove(call, owner);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const own = this.waiting.get(owner) ?? new Set();
      this.waiting.set(owner, own.add(call));
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Calls the one that waits longest, of the owner whose turn it is. Answers whether there is one. */
  callNext(): boolean {
    const [next] = this.waiting;
    if (!next) {
      return false;
    }
    const [owner, own] = next;
    this.waiting.delete(owner);
    this.waiting.set(owner, own);
    own.values().next().value?.();
    return true;
  }

  /** Calls all that wait now. */
  callAll(): void {
    for (const call of [...this.waiting.values()].flatMap(own => [...own])) {
      call();
    }
  }

  private remove(call: () => void, owner: unknown): void {
    const own = this.waiting.get(owner);
    own?.delete(call);
    if (own?.size === 0) {
      this.waiting.delete(owner);
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
