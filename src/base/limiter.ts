import { toDisposable } from './disposable.ts';

/** The bounds of a {@link Limiter}. */
export interface Limits {
  /** The most works that run side by side. */
  readonly running: number;
  /** The most works of one owner that wait for their start. Left out: any number. */
  readonly waiting?: number;
  /** The milliseconds after which a running work no longer counts. Left out: it always counts. */
  readonly longest?: number;
  /** Whether each work begins in its own turn of the event loop: for work that blocks the loop. */
  readonly isSpread?: boolean;
}

/**
 * Runs work side by side up to a limit. Further work waits or is refused, so that no flood fills
 * the memory. Owners take turns, and each owner's works keep their order.
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
   * Returns the result of the work. `busy`: too much work waits already, so this work never starts.
   *
   * @param work may call `leave` while it waits for something. Then the next work may start.
   * @param owner the work's owner. Works without an owner share one owner.
   * @throws the reason of the signal, if the signal is aborted before the work has started.
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
      // Settles when other work has ended and given its place to this work.
      await this.queue.join(signal, owner);
      // Continues in a later turn of the event loop, after the end of the other work. Otherwise,
      // all waiting works would run in one turn, and the process would read no message meanwhile.
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
      // The signal may have been aborted since the queue called this work.
      signal?.throwIfAborted();
      timer = longest === undefined ? undefined : setTimeout(() => place.dispose(), longest);
      return await work(() => place.dispose());
    } finally {
      clearTimeout(timer);
      place.dispose();
    }
  }

  /** Starts no work until `resume`. New work waits, and running work goes on. */
  pause(): void {
    this.isPaused = true;
  }

  /** Starts waiting work for all free places. From now on, new work can start again. */
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

  /** Lets a waiting work start in place of the ended one, so that no newer work overtakes it. */
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

/** A queue of callers. Each waits until `callNext` or `callAll` calls it. */
export class WaitingLine {
  /** The functions that end each owner's waits, at least one per owner. The next owner is first. */
  private readonly waiting = new Map<unknown, Set<() => void>>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  lengthOf(owner: unknown): number {
    return this.waiting.get(owner)?.size ?? 0;
  }

  /**
   * Joins the queue. Resolves when the queue calls this caller. Owners take turns, and each owner's
   * callers keep their order.
   *
   * @throws the reason of the signal, if it is aborted first. The caller has then left the queue.
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

  /** Calls the next owner's caller, the one that has waited longest. `false`: nobody waits. */
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

  /** Calls all callers that wait now. */
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
