import { WaitingLine } from '../../base/limiter.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';

/** How many calls an upstream takes on at a time, and how many more may wait for a place. */
interface CallLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

/**
 * The calls that an upstream (a server behind the hub) has not answered yet. A call is begun in the
 * turn in which it is made, or not at all. Callers wait for a place before they make their call: a
 * call judged before the wait would be judged by roots that may be outdated after it.
 */
export class UpstreamCalls {
  private readonly name: string;
  private readonly limits: CallLimits;
  /** Of each call of the client what fails it, and of each that the hub makes for itself. */
  private readonly calls = new Set<(error: unknown) => void>();
  private readonly beside = new Set<(error: unknown) => void>();
  private readonly queue = new WaitingLine();
  private isWaking = false;

  /** @param name of the server in the configuration. */
  constructor(name: string, limits: CallLimits) {
    this.name = name;
    this.limits = limits;
  }

  get hasPlace(): boolean {
    return this.calls.size < this.limits.inFlight;
  }

  /** How many calls of the client are in flight; those of the hub itself do not count. */
  get count(): number {
    return this.calls.size;
  }

  /**
   * Settles when there is a place, which another call may take first.
   *
   * @throws {HumanError} when too many wait already; the signal's reason when it is aborted.
   */
  async place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasPlace) {
      return;
    }
    if (this.queue.length >= this.limits.waiting) {
      throw this.busy();
    }
    await this.queue.join(signal);
  }

  /**
   * Begins a call of the client in this very turn; settles as the call does, or fails by
   * {@link failAll}.
   *
   * @throws {HumanError} when there is no place.
   */
  run<T>(begin: () => Promise<T>): Promise<T> {
    return this.hasPlace ? this.begin(this.calls, begin) : Promise.reject(this.busy());
  }

  /** The same for a call that the hub makes for itself, which needs no place: there are few. */
  runBeside<T>(begin: () => Promise<T>): Promise<T> {
    return this.begin(this.beside, begin);
  }

  /**
   * The upstream's process has ended: fails all calls that are in flight. Callers that wait for a
   * place are woken in their turn, and find out then.
   */
  failAll(error: Error): void {
    for (const fail of [...this.calls, ...this.beside]) {
      fail(error);
    }
  }

  private begin<T>(calls: Set<(error: unknown) => void>, begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => {
        calls.delete(fail);
        this.wakeOne();
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const succeed = (value: T) => {
        end();
        resolve(value);
      };
      calls.add(fail);
      // A connection that ends fails its requests a moment before it says why it has ended.
      startNow(begin).then(succeed, error => setImmediate(() => fail(error)));
    });
  }

  /** Wakes one caller in each turn of the event loop: a woken caller may leave the place free. */
  private wakeOne(): void {
    if (!this.hasPlace || this.isWaking || !this.queue.callNext()) {
      return;
    }
    this.isWaking = true;
    setImmediate(() => {
      this.isWaking = false;
      this.wakeOne();
    });
  }

  private busy(): HumanError {
    return new HumanError(
      'The server "{0}" is busy: it has not answered {1} calls yet. Try again later.',
      printable(this.name),
      String(this.calls.size),
    );
  }
}

/** Makes a rejection of an error that `begin` throws at once. */
async function startNow<T>(begin: () => Promise<T>): Promise<T> {
  return begin();
}
