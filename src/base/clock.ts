import type { IDisposable } from './disposable.ts';

/**
 * Runs `run` once, after the given milliseconds, unless the returned disposable is disposed first.
 * Code that waits takes this as a parameter, so that tests can turn the clock.
 */
export type After = (milliseconds: number, run: () => void) => IDisposable;

/** The real clock. A pending wait does not keep the process alive. */
export function afterReal(milliseconds: number, run: () => void): IDisposable {
  const timer = setTimeout(run, milliseconds).unref();
  return { dispose: () => clearTimeout(timer) };
}

/**
 * Milliseconds since 1970. The clock starts with the system's time when this process begins, and
 * nobody can set it. Use this clock for times that are compared or subtracted.
 */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** A moment in the future. It never comes if the deadline is disposed first. */
export interface Deadline extends IDisposable {
  /** Settles at that moment. */
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
