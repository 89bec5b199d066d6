/** Something that holds resources until `dispose` is called, like a disposable of VS Code. */
export interface IDisposable {
  dispose(): void;
}

/** A disposable that runs `dispose` at most once. */
export function toDisposable(dispose: () => void): IDisposable {
  let isDisposed = false;
  return {
    dispose() {
      if (!isDisposed) {
        isDisposed = true;
        dispose();
      }
    },
  };
}

/**
 * Owns disposables and disposes them together, the newest first.
 *
 * A disposable that is added after the store's disposal is disposed immediately. So nothing leaks
 * when an asynchronous start ends after a stop.
 */
export class DisposableStore implements IDisposable {
  private readonly items = new Set<IDisposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Takes ownership of `item` and returns it, so that one line can declare and own a field. */
  add<T extends IDisposable>(item: T): T {
    if (this.disposed) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  dispose(): void {
    const items = [...this.items].reverse();
    this.disposed = true;
    this.items.clear();
    for (const item of items) {
      item.dispose();
    }
  }
}

/** Owns one disposable at a time. Setting `value` disposes the former one. */
export class MutableDisposable implements IDisposable {
  private current: IDisposable | undefined;

  set value(next: IDisposable | undefined) {
    this.current?.dispose();
    this.current = next;
  }

  dispose(): void {
    this.current?.dispose();
  }
}
