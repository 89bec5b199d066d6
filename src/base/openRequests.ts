type RequestId = string | number;

/** The error for a request with an id that is open already. */
export const idIsTaken = {
  code: -32600,
  message: 'Another open request has this id. Use another id.',
};

/**
 * The unanswered requests of one side by their ids, each with a value. The number 1 and the text
 * "1" are two ids. (JSON-RPC 2.0, 4.)
 */
export class OpenRequests<T> {
  private readonly most: number;
  private readonly entries = new Map<RequestId, { readonly value: T; readonly cost: number }>();
  private cost = 0;
  private onEmpty = () => {};

  /** @param most the most that all requests may cost together. By default, a request costs 1. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most;
  }

  /** All open requests, the oldest first. */
  get all(): readonly (readonly [RequestId, T])[] {
    return [...this.entries].map(([id, { value }]) => [id, value]);
  }

  get size(): number {
    return this.entries.size;
  }

  /** Keeps a request until it is settled. `false`: too many are open, or the id is taken. */
  open(id: RequestId, value: T, cost = 1): boolean {
    const isOpen = this.cost < this.most && !this.entries.has(id);
    if (isOpen) {
      this.entries.set(id, { value, cost });
      this.cost += cost;
    }
    return isOpen;
  }

  get(id: unknown): T | undefined {
    return this.entries.get(id as RequestId)?.value;
  }

  /**
   * The id of the open request that the other side means by `id`. If no request has exactly this
   * id, a number and its text are equal, because some programs quote numbers. `undefined`: none is
   * meant.
   */
  idOf(id: unknown): RequestId | undefined {
    const isQuoted = typeof id === 'string' && String(Number(id)) === id;
    const other = isQuoted ? Number(id) : typeof id === 'number' ? String(id) : undefined;
    return [id as RequestId, other].find(each => each !== undefined && this.entries.has(each));
  }

  /** Ends the request with this id and, if given, the value `only`. Returns its value, if any. */
  settle(id: unknown, only?: T): T | undefined {
    const entry = this.entries.get(id as RequestId);
    if (!entry || (only !== undefined && entry.value !== only)) {
      return undefined;
    }
    this.entries.delete(id as RequestId);
    this.cost -= entry.cost;
    if (this.entries.size === 0) {
      this.onEmpty();
    }
    return entry.value;
  }

  /** Ends all requests and returns them, because one side is gone. */
  endAll(): this['all'] {
    const { all } = this;
    this.entries.clear();
    this.cost = 0;
    this.onEmpty();
    return all;
  }

  /** Resolves when no request is open. Serves one caller at a time. */
  async emptied(): Promise<void> {
    if (this.entries.size > 0) {
      await new Promise<void>(resolve => {
        this.onEmpty = resolve;
      });
    }
  }
}
