import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';

/**
 * Whether the event is fired within the given milliseconds; known as soon as it is.
 * Rejects with the reason of the signal once that is aborted.
 */
export function happensWithin<T>(
  event: Event<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const store = new DisposableStore();
    const settle = (conclude: () => void) => {
      store.dispose();
      conclude();
    };
    const giveUp = () => settle(() => reject(signal.reason));
    const timer = setTimeout(() => settle(() => resolve(false)), milliseconds);
    store.add(toDisposable(() => clearTimeout(timer)));
    store.add(toDisposable(() => signal.removeEventListener('abort', giveUp)));
    store.add(event(() => settle(() => resolve(true))));
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) {
      giveUp();
    }
  });
}

/** Waits, unless the signal is aborted: then it rejects with its reason. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await happensWithin(nothing, milliseconds, signal);
}

const nothing: Event<never> = () => toDisposable(() => {});
