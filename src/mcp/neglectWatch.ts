import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';

/** Notices when something that should follow does not come in time. */
export class NeglectWatch implements IDisposable {
  private readonly patience: number;
  private readonly didChange = new Emitter<boolean>();
  private timer: NodeJS.Timeout | undefined;
  private isNeglected = false;

  /** `true` when it is late, `false` when it is settled after that; each only as a change. */
  readonly onDidChange: Event<boolean> = this.didChange.event;

  /** @param patience how long it may take, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** From now on it is awaited. Being asked for again gives it no more time. */
  expect(): void {
    if (!this.isNeglected) {
      this.timer ??= setTimeout(() => this.enter(true), this.patience);
    }
  }

  /** It has come, or is not needed any more. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isNeglected) {
      this.enter(false);
    }
  }

  /** Nothing is neglected any more, and listeners are told so. */
  dispose(): void {
    this.settle();
    this.didChange.dispose();
  }

  private enter(isNeglected: boolean): void {
    this.timer = undefined;
    this.isNeglected = isNeglected;
    this.didChange.fire(isNeglected);
  }
}
