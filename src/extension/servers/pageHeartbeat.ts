import { type After, afterReal, steadyNow } from '../../base/clock.ts';
import { type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';

/** Milliseconds between two calls of the window's page. */
const beatTime = 2500;
/** For how many milliseconds after its call an answer proves that the page is there. */
const longestProof = 5000;
/** The page is gone after this many calls without an answer (30 s). In sleep, no call is made. */
const goneBeats = 12;

/**
 * Regularly calls the page that draws the window. Answers that the user gives in other windows
 * arrive through this page. Once the page answers a call, all that it knew before the call has
 * arrived. If the page is gone, the extension host runs on for up to 3 h and learns nothing.
 */
export class PageHeartbeat implements IDisposable {
  private readonly call: () => PromiseLike<unknown>;
  private readonly after: After;
  private readonly now: () => number;
  private readonly didChange = new Emitter<void>();
  private readonly next = new MutableDisposable();
  private isCalling = false;
  /** How many calls have had no answer since the last answered call. */
  private silence = 0;
  /** When the last answered call was sent. */
  private provenAt = Number.NEGATIVE_INFINITY;

  /** Fires when the page answers again, has been silent for 5 s, or is gone. */
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

  /** If the page is silent, resolves when it answers or is gone. Otherwise returns `undefined`. */
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
      // An answer is proof for the time when its call was sent.
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
