import type { IDisposable } from '../../base/disposable.ts';
import type { After } from '../after.ts';

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
