import { type IDisposable, toDisposable } from './disposable.ts';

/** A function that subscribes a listener until its result is disposed, like VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => IDisposable;

/**
 * The sending side of an {@link Event}. Listeners run in the order of their subscription. A
 * listener that throws stops the listeners after it. Once unsubscribed, a listener gets nothing
 * more.
 */
export class Emitter<T> implements IDisposable {
  private readonly listeners = new Set<{ readonly call: (value: T) => void }>();

  readonly event: Event<T> = call => {
    const entry = { call };
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  fire(value: T): void {
    for (const entry of [...this.listeners]) {
      if (this.listeners.has(entry)) {
        entry.call(value);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
