/**
 * The calls that an upstream (a server behind the hub) has not answered yet: each is begun in the turn
 * in which it is made, and all fail with the end of its process.
 */
export class UpstreamCalls {
  /** Of each call of the client what fails it, and of each that the hub makes for itself. */
  private readonly calls = new Set<(error: unknown) => void>();
  private readonly beside = new Set<(error: unknown) => void>();

  /** How many calls of the client are in flight; those of the hub itself do not count. */
  get count(): number {
    return this.calls.size;
  }

  /** Begins a call of the client in this very turn; settles as the call does, or by {@link failAll}. */
  run<T>(begin: () => Promise<T>): Promise<T> {
    return this.begin(this.calls, begin);
  }

  /** The same for a call that the hub makes for itself. */
  runBeside<T>(begin: () => Promise<T>): Promise<T> {
    return this.begin(this.beside, begin);
  }

  /** The upstream's process has ended: fails all calls that are in flight. */
  failAll(error: Error): void {
    for (const fail of [...this.calls, ...this.beside]) {
      fail(error);
    }
  }

  private begin<T>(calls: Set<(error: unknown) => void>, begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        calls.delete(fail);
        reject(error);
      };
      const succeed = (value: T) => {
        calls.delete(fail);
        resolve(value);
      };
      calls.add(fail);
      // A connection that ends fails its requests a moment before it says why it has ended.
      startNow(begin).then(succeed, error => setImmediate(() => fail(error)));
    });
  }
}

/** Makes a rejection of an error that `begin` throws at once. */
async function startNow<T>(begin: () => Promise<T>): Promise<T> {
  return begin();
}
