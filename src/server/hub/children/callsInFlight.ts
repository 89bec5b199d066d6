import { WaitingLine } from '../../../base/waitingLine.ts';
import { HumanError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/printable.ts';
import type { ClientRelay, RelayedRequest } from '../../../mcp/clientRelay.ts';

/** On whose behalf a child is called. */
export interface Caller {
  /** What the child's own requests go to. */
  readonly relay: CallerRelay;
}

/** What a caller offers to its children, and answers to each of them. */
export interface CallerRelay {
  readonly capabilities: ClientRelay['capabilities'];
  /** As a {@link ClientRelay} does, the server of that name. */
  answer(
    request: RelayedRequest,
    signal: AbortSignal,
    server: string,
  ): ReturnType<ClientRelay['answer']>;
}

/** How many calls a child takes on at a time, and how many more may wait. */
export interface CallLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Call {
  /** `undefined` for one that the hub makes for itself. */
  readonly caller: Caller | undefined;
  readonly fail: (error: unknown) => void;
}

/**
 * The calls that a child has not answered yet. A call is begun in the turn in which it is made, or
 * not at all: what waits is not a call, but the wish for a place, because what was judged before a
 * wait may be judged by roots that are outdated after it.
 */
export class CallsInFlight {
  private readonly server: string;
  private readonly limits: CallLimits;
  private readonly calls = new Set<Call>();
  private readonly waiting = new WaitingLine();
  private isWaking = false;
  private callers: Caller | 'several' | undefined;

  constructor(server: string, limits: CallLimits) {
    this.server = printable(server);
    this.limits = limits;
  }

  get hasPlace(): boolean {
    return this.calls.size < this.limits.inFlight;
  }

  /** How many there are that the hub does not make for itself. */
  get count(): number {
    return [...this.calls].filter(({ caller }) => caller !== undefined).length;
  }

  /** The only one with calls in flight, or how many there are. */
  get soleCaller(): Caller | number {
    const callers = new Set([...this.calls].flatMap(({ caller }) => caller ?? []));
    const [only] = callers;
    return only && callers.size === 1 ? only : callers.size;
  }

  /** Who has had it called since its process was started. */
  get workedFor(): Caller | 'several' | undefined {
    return this.callers;
  }

  /**
   * Settles when there is a place, which somebody quicker may take.
   *
   * @throws {HumanError} when too many wait already; the reason of the signal when that is aborted.
   */
  async place(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasPlace) {
      return;
    }
    if (this.waiting.length >= this.limits.waiting) {
      throw this.busy();
    }
    await this.waiting.join(signal);
  }

  /**
   * Begins a call in this very turn; settles as it does, or fails with all others. One that the hub
   * makes for itself needs no place: there are few of them, and nobody would wait for one.
   *
   * @throws {HumanError} when there is no place.
   */
  run<T>(caller: Caller | undefined, begin: () => Promise<T>): Promise<T> {
    if (caller && !this.hasPlace) {
      return Promise.reject(this.busy());
    }
    this.noteCaller(caller);
    return new Promise((resolve, reject) => {
      const end = () => {
        this.calls.delete(call);
        this.wakeOne();
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const call: Call = { caller, fail };
      const succeed = (value: T) => {
        end();
        resolve(value);
      };
      this.calls.add(call);
      // A connection that ends fails its requests a moment before it says why it has ended.
      startNow(begin).then(succeed, error => setImmediate(() => fail(error)));
    });
  }

  /**
   * Its process has ended: fails all calls that are in flight. Those who wait for a place find out
   * for themselves.
   */
  failAll(error: Error): void {
    this.callers = undefined;
    for (const { fail } of [...this.calls]) {
      fail(error);
    }
  }

  private noteCaller(caller: Caller | undefined): void {
    if (caller) {
      this.callers = (this.callers ?? caller) === caller ? caller : 'several';
    }
  }

  /** One in each turn of the loop, since whoever is woken may not take the place after all. */
  private wakeOne(): void {
    if (!this.hasPlace || this.isWaking || !this.waiting.callNext()) {
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
      this.server,
      String(this.calls.size),
    );
  }
}

/** What it throws at once is a rejection, too. */
async function startNow<T>(begin: () => Promise<T>): Promise<T> {
  return begin();
}
