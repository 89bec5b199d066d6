import { type IDisposable, toDisposable } from './disposable.ts';

interface EitherSignal extends IDisposable {
  readonly signal: AbortSignal;
}

/**
 * Returns a signal that is aborted with the first of two signals, for the same reason. `dispose`
 * stops listening to them. `AbortSignal.any` needs no disposal, but takes several times as long.
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

/** Runs `run` once, when the signal is aborted. If the signal is aborted already, runs it now. */
export function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run, { once: true });
  }
}
