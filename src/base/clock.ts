import type { IDisposable } from './disposable.ts';

/**
 * Runs `run` once, after the given milliseconds, unless the returned disposable is disposed first.
 * Code that waits takes an `After` as a parameter, so that a test can pass a clock of its own.
 */
export type After = (milliseconds: number, run: () => void) => IDisposable;

/** The real clock. A pending wait does not keep the process alive. */
export function afterReal(milliseconds: number, run: () => void): IDisposable {
  const timer = setTimeout(run, milliseconds).unref();
  return { dispose: () => clearTimeout(timer) };
}

/**
 * Returns milliseconds since 1970, for times that are compared or subtracted. The clock reads the
 * system's time once, at the start of this process. A later change of that time has no effect.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** A moment in the future. If the deadline is disposed first, the moment never comes. */
export interface Deadline extends IDisposable {
  /** Resolves at that moment; never rejects. */
  readonly over: Promise<void>;
  isOver(): boolean;
}

/** Starts a deadline that comes after the given milliseconds. */
export function startDeadline(after: After, milliseconds: number): Deadline {
  const end = new AbortController();
  const over = new Promise<void>(resolve => {
    end.signal.addEventListener('abort', () => resolve());
  });
  const timer = after(milliseconds, () => end.abort());
  return { over, isOver: () => end.signal.aborted, dispose: () => timer.dispose() };
}
