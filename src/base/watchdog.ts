import type { IDisposable } from './disposable.ts';
import { Emitter, type Event } from './emitter.ts';

/** Notices when a peer is late, for example with an answer, or with the reaction to a notice. */
export class Watchdog implements IDisposable {
  private readonly patience: number;
  private readonly didChange = new Emitter<boolean>();
  private timer: NodeJS.Timeout | undefined;
  private late = false;

  /** Fires `true` when the peer becomes late, and `false` when the peer is no longer late. */
  readonly onDidChange: Event<boolean> = this.didChange.event;

  /** @param patience the longest time for the peer, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** Whether the peer has exceeded its time. */
  get isLate(): boolean {
    return this.late;
  }

  /** Starts the peer's time, unless it runs already: another call gives a peer no more time. */
  expect(): void {
    if (!this.late) {
      this.timer ??= setTimeout(() => this.enter(true), this.patience);
    }
  }

  /** Stops the peer's time. Call it when the peer did what was expected, or no longer has to. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.late) {
      this.enter(false);
    }
  }

  /** If the peer is late, tells the listeners that it no longer is. Then drops the listeners. */
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
