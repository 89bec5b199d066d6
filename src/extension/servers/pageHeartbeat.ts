import { type After, afterReal, steadyNow } from '../../base/clock.ts';
import { type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';

/** Milliseconds from one beat to the next. */
const beatTime = 2500;
/** How long the answer to a call counts, in milliseconds since the call was sent. */
const longestProof = 5000;
/** After this many beats without an answer the page is gone: 30 s. A sleeping computer has no beats. */
const goneBeats = 12;

/**
 * Calls the page of the window all the time. What the user answers in other windows arrives through the page.
 * Once the page answers a call, everything that it knew at the call's start has arrived here. Without its
 * page, the extension host goes on for up to three hours and learns nothing.
 */
export class PageHeartbeat implements IDisposable {
  private readonly call: () => PromiseLike<unknown>;
  private readonly after: After;
  private readonly now: () => number;
  private readonly didChange = new Emitter<void>();
  private readonly next = new MutableDisposable();
  private isCalling = false;
  /** The beats since the last answered call was sent. */
  private silence = 0;
  /** When that call was sent. */
  private provenAt = Number.NEGATIVE_INFINITY;

  /** The page is gone or back. */
  readonly onDidChange: Event<void> = this.didChange.event;

  /** @param call resolves when the page has answered. */
  constructor(call: () => PromiseLike<unknown>, after: After = afterReal, now = steadyNow) {
    this.call = call;
    this.after = after;
    this.now = now;
    this.beat();
  }

  /** Whether the page has not answered for 30 s. */
  get isGone(): boolean {
    return this.silence >= goneBeats;
  }

  /** Resolves when the page has answered, or is gone. `undefined`: already gone, or answered within 5 s. */
  answered(): Promise<void> | undefined {
    return this.state === 'silent'
      ? new Promise(resolve => {
          const listening = this.onDidChange(() => resolve(listening.dispose()));
        })
      : undefined;
  }

  dispose(): void {
    this.next.dispose();
    this.didChange.dispose();
  }

  private get state(): 'there' | 'silent' | 'gone' {
    return this.isGone ? 'gone' : this.now() - this.provenAt < longestProof ? 'there' : 'silent';
  }

  private beat(): void {
    this.next.value = this.after(beatTime, () => this.beat());
    this.enter(this.silence + 1);
    if (!this.isCalling) {
      void this.callPage();
    }
  }

  private async callPage(): Promise<void> {
    const [before, sentAt] = [this.silence, this.now()];
    this.isCalling = true;
    try {
      await this.call();
      // An answer proves the moment at which its call was sent.
      this.enter(this.silence - before, sentAt);
    } catch {
      // A failed call is not an answer.
    }
    this.isCalling = false;
  }

  private enter(silence: number, provenAt = this.provenAt): void {
    const before = this.state;
    this.silence = silence;
    this.provenAt = provenAt;
    if (this.state !== before) {
      this.didChange.fire();
    }
  }
}
