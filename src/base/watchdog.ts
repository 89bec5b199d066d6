import type { IDisposable } from './disposable.ts';
import { Emitter, type Event } from './emitter.ts';

/** Notices when a peer is late with something expected: an unanswered call, an ignored notice. */
export class Watchdog implements IDisposable {
  private readonly patience: number;
  private readonly didChange = new Emitter<boolean>();
  private timer: NodeJS.Timeout | undefined;
  private late = false;

  /** `true` when the peer becomes late, `false` when that is settled. */
  readonly onDidChange: Event<boolean> = this.didChange.event;

  /** @param patience time limit for the peer, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** Whether the peer has exceeded its time. */
  get isLate(): boolean {
    return this.late;
  }

  /** Starts the time unless it runs already: asking again gives a peer no more time. */
  expect(): void {
    if (!this.late) {
      this.timer ??= setTimeout(() => this.enter(true), this.patience);
    }
  }

  /** The peer has done what was expected, or no longer needs to. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.late) {
      this.enter(false);
    }
  }

  /** If the peer is late, settles that and tells the listeners. Then drops the listeners. */
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
