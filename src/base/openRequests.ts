type RequestId = string | number;

/** The error of a request whose id is open. */
export const idIsTaken = {
  code: -32600,
  message: 'A request of this id has no answer yet: each has an id of its own.',
};

/**
 * The requests of one side that have no answer yet, by their ids, each with what is kept for it. The number
 * 1 and the text "1" are two ids. (JSON-RPC 2.0, 4.)
 */
export class OpenRequests<T> {
  private readonly most: number;
  private readonly entries = new Map<RequestId, { readonly value: T; readonly cost: number }>();
  private cost = 0;
  private onEmpty = () => {};

  /** @param most how much all may cost together; of such without a cost, how many there may be. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most;
  }

  /** All that are open, in their order. */
  get all(): readonly (readonly [RequestId, T])[] {
    return [...this.entries].map(([id, { value }]) => [id, value]);
  }

  get size(): number {
    return this.entries.size;
  }

  /** Keeps a request until it is settled; `false`: there are too many, or another one has its id. */
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
   * The id under which a request is open that the other side names by this one: some programs quote
   * numbers, so the one stands for the other where none is open by the id as it came.
   */
  idOf(id: unknown): RequestId | undefined {
    const isQuoted = typeof id === 'string' && String(Number(id)) === id;
    const other = isQuoted ? Number(id) : typeof id === 'number' ? String(id) : undefined;
    return [id as RequestId, other].find(each => each !== undefined && this.entries.has(each));
  }

  /** Ends a request, and gives back what was kept. @param only of this value, if given. */
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

  /** Ends all, because one of both sides is gone. */
  endAll(): this['all'] {
    const { all } = this;
    this.entries.clear();
    this.cost = 0;
    this.onEmpty();
    return all;
  }

  /** Resolves when none is open, for one who waits for that. */
  async emptied(): Promise<void> {
    if (this.entries.size > 0) {
      await new Promise<void>(resolve => {
        this.onEmpty = resolve;
      });
    }
  }
}
