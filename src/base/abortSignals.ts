import { type IDisposable, toDisposable } from './disposable.ts';

interface EitherSignal extends IDisposable {
  readonly signal: AbortSignal;
}

/**
 * Combines two signals until it is disposed of. `AbortSignal.any` needs no such end; it holds weak
 * references instead, and takes several times as long.
 */
export function eitherSignal(one: AbortSignal, other: AbortSignal): EitherSignal {
  const either = new AbortController();
  const follow = () => either.abort((one.aborted ? one : other).reason);
  if (one.aborted || other.aborted) {
    follow();
  }
  one.addEventListener('abort', follow);
  other.addEventListener('abort', follow);
  const end = toDisposable(() => {
    one.removeEventListener('abort', follow);
    other.removeEventListener('abort', follow);
  });
  return { signal: either.signal, dispose: () => end.dispose() };
}

/** Runs something once, when the signal is aborted; at once when it already is. */
export function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run, { once: true });
  }
}
