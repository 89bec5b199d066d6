import { type IDisposable, toDisposable } from './disposable.ts';

/**
 * Runs something once, that many milliseconds from now, unless the returned disposable is disposed
 * first. Code that waits is given it as a parameter, because tests turn the clock by it.
 */
export type After = (milliseconds: number, run: () => void) => IDisposable;

/** The real clock. A wait on it does not keep the process alive. */
export function afterReal(milliseconds: number, run: () => void): IDisposable {
  const timer = setTimeout(run, milliseconds).unref();
  return toDisposable(() => clearTimeout(timer));
}

/**
 * Milliseconds since 1970, as the system had it when this process began: a clock that nobody turns. For times
 * that are compared or subtracted.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** A moment that comes once, unless it is disposed before. */
export interface Deadline extends IDisposable {
  /** Settles at that moment. */
  readonly over: Promise<void>;
  isOver(): boolean;
}

/** The deadline that many milliseconds from now. */
export function startDeadline(after: After, milliseconds: number): Deadline {
  const end = new AbortController();
  const over = new Promise<void>(resolve => {
    end.signal.addEventListener('abort', () => resolve());
  });
  const timer = after(milliseconds, () => end.abort());
  return { over, isOver: () => end.signal.aborted, dispose: () => timer.dispose() };
}
