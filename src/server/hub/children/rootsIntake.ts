import type { IDisposable } from '../../../base/disposable.ts';
import { WaitingLine } from '../../../base/waitingLine.ts';
import type { After } from '../../after.ts';

/** In milliseconds. */
const times = {
  /** The most that calls are held back until it asks, and again from the answer on. */
  longest: 1000,
  /** From its first sign of life until a server that asks for its roots has asked. */
  ask: 100,
  /**
   * From its signs of life after the answer until it works by that. On a busy machine it takes
   * longer, as do the signs of life that are waited for then.
   */
  settle: 50,
};

/**
 * Holds calls back until a legacy server has had the time to take in its roots: it may be called as
 * soon as it runs, but many that ask for roots refuse every path until they have them. Nothing in
 * the protocol tells when that is, so it is pinged: what came before the ping was read by then.
 * Once it had that time, it may ask as often as it likes: some do within every call.
 */
export class RootsIntake implements IDisposable {
  private readonly after: After;
  private readonly ping: () => Promise<unknown>;
  private readonly waiting = new WaitingLine();
  /** `undefined` until it is known. */
  private asks: boolean | undefined;
  /** How far it is with the roots that it is to have. */
  private stage: 'unasked' | 'answered' | 'taken' = 'unasked';
  /** Whether it has left a ping unanswered for as long as anybody waits. */
  private isDeaf = false;
  private isPinged = false;
  private step = 0;
  /** Runs as long as calls are held back. */
  private limit: IDisposable | undefined;
  private timer: IDisposable | undefined;

  /** @param ping asks for a sign of life. It may fail, and it may never settle. */
  constructor(after: After, ping: () => Promise<unknown>) {
    this.after = after;
    this.ping = ping;
  }

  /** Whether it can be called as far as its roots go. */
  get isOver(): boolean {
    return this.limit === undefined;
  }

  /** It runs, and may ask any moment. Most servers never do, which is seen the first time. */
  begin(): void {
    if (this.asks !== false && this.isOver) {
      this.hold();
      this.afterPings(1, () => {
        this.in(times.ask, () => {
          this.asks ??= false;
          this.release();
        });
      });
    }
  }

  /** It is told that its roots have changed. One that never asked for them does not mind. */
  renew(): void {
    if (this.asks) {
      this.stage = 'unasked';
      this.hold();
    }
  }

  /** It was handed its roots. */
  answered(): void {
    this.asks = true;
    if (this.stage === 'taken') {
      return;
    }
    // The first answer may be to what it has asked before it was told of a change.
    if (this.stage === 'unasked') {
      this.stage = 'answered';
      this.hold();
    }
    // The second one it reads after it has begun to look at them.
    this.afterPings(2, () => this.in(times.settle, () => this.afterPings(6, () => this.release())));
  }

  /** It does not run any more. */
  end(): void {
    this.release();
    this.stage = 'unasked';
  }

  /** @throws the reason of the signal when that is aborted before. */
  async over(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isOver) {
      await this.waiting.join(signal);
    }
  }

  dispose(): void {
    this.end();
  }

  private hold(): void {
    this.forget();
    this.limit = this.after(times.longest, () => {
      this.isDeaf ||= this.isPinged;
      this.release();
    });
  }

  private release(): void {
    this.stage = this.stage === 'answered' ? 'taken' : this.stage;
    this.forget();
    this.waiting.callAll();
  }

  private forget(): void {
    this.limit?.dispose();
    this.limit = undefined;
    this.nextStep();
  }

  private in(milliseconds: number, then: () => void): void {
    this.timer = this.after(milliseconds, then);
  }

  private afterPings(count: number, then: () => void): void {
    const step = this.nextStep();
    if (this.isDeaf) {
      then();
      return;
    }
    this.isPinged = true;
    void this.pings(count).then(() => {
      // It was slow, or busy.
      this.isDeaf = false;
      if (step === this.step) {
        this.isPinged = false;
        then();
      }
    });
  }

  private nextStep(): number {
    this.timer?.dispose();
    this.timer = undefined;
    this.isPinged = false;
    this.step += 1;
    return this.step;
  }

  private async pings(count: number): Promise<void> {
    for (let pinged = 0; pinged < count; pinged++) {
      // A refusal is a sign of life too.
      await this.ping().catch(() => {});
    }
  }
}
