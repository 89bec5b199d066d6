import type { IDisposable } from './disposable.ts';
import { Emitter, type Event } from './emitter.ts';

/** Notices when something that is expected does not come in time. */
export class Watchdog implements IDisposable {
  private readonly patience: number;
  private readonly didChange = new Emitter<boolean>();
  private timer: NodeJS.Timeout | undefined;
  private late = false;

  /** `true` when it is late, `false` when it is settled after that; each only as a change. */
  readonly onDidChange: Event<boolean> = this.didChange.event;

  /** @param patience how long it may take, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** Whether it is awaited longer than it may take. */
  get isLate(): boolean {
    return this.late;
  }

  /** From now on it is awaited. Being asked for again gives it no more time. */
  expect(): void {
    if (!this.late) {
      this.timer ??= setTimeout(() => this.enter(true), this.patience);
    }
  }

  /** It has come, or is not needed any more. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.late) {
      this.enter(false);
    }
  }

  /** Nothing is late any more, and listeners are told so. */
  dispose(): void {
    this.settle();
    this.didChange.dispose();
  }

  private enter(isLate: boolean): void {
    this.timer = undefined;
    this.late = isLate;
    this.didChange.fire(isLate);
  }
}
