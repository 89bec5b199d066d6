import { WaitingLine } from '../../base/limiter.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ClientRelay, RelayedRequest } from '../../mcp/relayedRequests.ts';

/** A client's capabilities besides roots, in the form in which the hub declares them to servers. */
export type RelayedCapabilities = ClientRelay['capabilities'];

/** The client for which an upstream is called, and which answers the upstream's questions. */
export interface Caller {
  /** As {@link ClientRelay}. @param upstream the id of the upstream that asks. */
  answer(
    request: RelayedRequest,
    signal: AbortSignal,
    upstream: string,
  ): ReturnType<ClientRelay['answer']>;
}

/** How many calls an upstream takes on at a time, and how many more may wait for a place. */
interface CallLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Call {
  /** `undefined` for a call that the hub makes for itself. */
  readonly caller: Caller | undefined;
  readonly fail: (error: unknown) => void;
}

/**
 * The calls that an upstream (a server behind the hub, one instance for one list of roots) has not
 * answered yet. A call is begun in the turn in which it is made, or not at all. Callers wait for a
 * place before they make their call: a call judged before the wait would be judged by roots that
 * may be outdated after it.
 */
export class UpstreamCalls {
  private readonly id: string;
  private readonly name: string;
  private readonly limits: CallLimits;
  private readonly calls = new Set<Call>();
  private readonly queue = new WaitingLine();
  private isWaking = false;
  private callers: Caller | 'several' | undefined;

  /** @param id of the upstream. @param name of its server in the configuration. */
  constructor(id: string, name: string, limits: CallLimits) {
    this.id = id;
    this.name = name;
    this.limits = limits;
  }

  get hasPlace(): boolean {
    return this.calls.size < this.limits.inFlight;
  }

  /** How many calls of clients are in flight; those of the hub itself do not count. */
  get count(): number {
    return [...this.calls].filter(({ caller }) => caller !== undefined).length;
  }

  /** The only caller with calls in flight; the number of callers if that is not one. */
  private get soleCaller(): Caller | number {
    const callers = new Set([...this.calls].flatMap(({ caller }) => caller ?? []));
    const [only] = callers;
    return only && callers.size === 1 ? only : callers.size;
  }

  /** Whether the upstream has worked for any caller since its process was started. */
  get hasWorked(): boolean {
    return this.callers !== undefined;
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
   * Begins a call in this very turn; settles as the call does, or fails by {@link failAll}. A call
   * that the hub makes for itself needs no place: there are few of these.
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
   * The upstream's process has ended: fails all calls that are in flight. Callers that wait for a
   * place are woken in their turn, and find out then.
   */
  failAll(error: Error): void {
    this.callers = undefined;
    for (const { fail } of [...this.calls]) {
      fail(error);
    }
  }

  /**
   * Passes on a question of the upstream. A question does not say which call it is about, and may
   * come late: it goes to the only caller that the upstream has worked for since its start, while a
   * call of this caller is in flight, or to nobody.
   *
   * @throws an error for the upstream, with the reason why nobody can be asked.
   */
  async ask(request: RelayedRequest, signal: AbortSignal): ReturnType<Caller['answer']> {
    const { soleCaller } = this;
    if (typeof soleCaller === 'number') {
      throw this.nobodyToAsk(request, inFlight(soleCaller));
    }
    if (this.callers !== soleCaller) {
      throw this.nobodyToAsk(request, 'it has worked for several clients');
    }
    return soleCaller.answer(request, signal, this.id);
  }

  private noteCaller(caller: Caller | undefined): void {
    if (caller) {
      this.callers = (this.callers ?? caller) === caller ? caller : 'several';
    }
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

  private nobodyToAsk({ method }: RelayedRequest, why: string): Error {
    const name = printable(this.name);
    const error = new Error(`The hub can't tell whom "${name}" asks (${method}): ${why}.`);
    return Object.assign(error, { code: internalError });
  }
}

/** (JSON-RPC 2.0) */
const internalError = -32603;

function inFlight(callers: number): string {
  return callers === 0
    ? 'no client has a call in flight'
    : `${callers} clients have calls in flight`;
}

/** Makes a rejection of an error that `begin` throws at once. */
async function startNow<T>(begin: () => Promise<T>): Promise<T> {
  return begin();
}
