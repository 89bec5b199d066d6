import type { IDisposable } from './disposable.ts';
import { Emitter, type Event } from './emitter.ts';

/** Notices when a peer does not do in time what it is expected to: a call unanswered, a notice ignored. */
export class Watchdog implements IDisposable {
  private readonly patience: number;
  private readonly didChange = new Emitter<boolean>();
  private timer: NodeJS.Timeout | undefined;
  private late = false;

  /** `true` when the peer is late, `false` when that is settled; each only as a change. */
  readonly onDidChange: Event<boolean> = this.didChange.event;

  /** @param patience how long the peer may take, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
  }

  /** Whether the peer has taken longer than it may. */
  get isLate(): boolean {
    return this.late;
  }

  /** The time begins now, unless it has begun before: asking again gives a peer no more of it. */
  expect(): void {
    if (!this.late) {
      this.timer ??= setTimeout(() => this.enter(true), this.patience);
    }
  }

  /** The peer has done it, or need not any more. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.late) {
      this.enter(false);
    }
  }

  /** Settles what was late, and tells listeners so, before they are dropped. */
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
