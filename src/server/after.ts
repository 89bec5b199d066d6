import { type IDisposable, toDisposable } from '../base/disposable.ts';

/** Runs something once, that many milliseconds from now, unless the answer is disposed before. */
export type After = (milliseconds: number, run: () => void) => IDisposable;

/** The real clock. What waits on it does not keep the process alive. */
export function afterReal(milliseconds: number, run: () => void): IDisposable {
  const timer = setTimeout(run, milliseconds).unref();
  return toDisposable(() => clearTimeout(timer));
}
