/** Those who wait until they are called, in the order in which they came. */
export class WaitingLine {
  private readonly waiting = new Set<() => void>();

  get length(): number {
    return this.waiting.size;
  }

  /**
   * Joins the line; settles when called.
   *
   * @throws the reason of the signal when that is aborted before, which leaves the line.
   */
  async join(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(call);
        reject(signal.reason);
      };
      const call = () => {
        this.waiting.delete(call);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.add(call);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Calls the one who waits longest. Answers whether there is one. */
  callNext(): boolean {
    const [next] = this.waiting;
    next?.();
    return next !== undefined;
  }

  /** Calls all who wait now. */
  callAll(): void {
    for (const call of [...this.waiting]) {
      call();
    }
  }
}
