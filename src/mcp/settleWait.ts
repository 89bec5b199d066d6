import type { After } from '../base/clock.ts';
import type { IDisposable } from '../base/disposable.ts';
import { WaitingLine } from '../base/limiter.ts';

/** In milliseconds: the longest that calls are held back from the start on, and again from the first answer on. */
const longest = 3000;

/**
 * Pings in a row that a server has to answer. Each answer shows that the server had a turn; the pause
 * after it is for its threads, which look at the disk, and as long as the answer took, or this many
 * milliseconds: server-filesystem looks at its roots one after the other.
 */
const pings = { count: 10, leastPause: 10 };

/**
 * Holds calls back until a legacy server has had the time to take in its roots. Many servers that
 * ask for roots refuse every path until they have them, and nothing in the protocol tells when that
 * is. So the server is pinged a few times after its start, in which it may ask, and after each answer
 * for roots: on a busy machine it gets little done in any fixed time. Afterwards it may ask for its
 * roots as often as it likes without holding back calls: some servers ask within every call, and some
 * only later, on a timer of their own.
 */
export class SettleWait implements IDisposable {
  private readonly after: After;
  private readonly ping: () => Promise<unknown>;
  private readonly now: () => number;
  private readonly queue = new WaitingLine();
  /** Whether the server asks for roots at all; `undefined` until that is known. */
  private asks: boolean | undefined;
  /** The server's progress with its present roots: it was handed them, or had the time to take them in. */
  private roots: 'unknown' | 'answered' | 'settled' = 'unknown';
  /** Runs as long as calls are held back. */
  private limit: IDisposable | undefined;
  /** Counts the rounds of pings, of which only the last one releases calls. */
  private round = 0;

  /** @param ping pings the server. It may fail, and it may never settle. */
  constructor(after: After, ping: () => Promise<unknown>, now = () => performance.now()) {
    this.after = after;
    this.ping = ping;
    this.now = now;
  }

  /** Whether no call is held back for the server's roots. */
  get isOver(): boolean {
    return this.limit === undefined;
  }

  /**
   * The server runs, and may ask for its roots any moment. Most servers never ask: after the first
   * start shows that, calls are not held back again.
   */
  begin(): void {
    if (this.asks !== false && this.isOver) {
      this.hold();
      void this.releaseAfterPings();
    }
  }

  /** The server is told of other roots. For a server that never asks, calls are not held back. */
  renew(): void {
    if (this.asks) {
      this.roots = 'unknown';
      this.hold();
    }
  }

  /** The server was handed its roots. */
  answered(): void {
    this.asks = true;
    if (this.roots === 'settled') {
      return;
    }
    // The server may have sent the request for the first answer before it was told of a change.
    if (this.roots === 'unknown') {
      this.roots = 'answered';
      this.hold();
    }
    void this.releaseAfterPings();
  }

  /** The server does not run any more. */
  end(): void {
    this.release();
    this.roots = 'unknown';
  }

  /** Resolves when no call is held back. @throws the signal's reason when it is aborted before. */
  async over(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isOver) {
      await this.queue.join(signal);
    }
  }

  dispose(): void {
    this.end();
  }

  private hold(): void {
    this.clear();
    this.limit = this.after(longest, () => this.release());
  }

  private release(): void {
    if (this.roots === 'answered') {
      this.roots = 'settled';
    }
    this.clear();
    this.queue.callAll();
  }

  private clear(): void {
    this.limit?.dispose();
    this.limit = undefined;
    this.round += 1;
  }

  private async releaseAfterPings(): Promise<void> {
    this.round += 1;
    const { round } = this;
    for (let ping = 0; ping < pings.count; ping++) {
      const sentAt = this.now();
      // An error answers the ping, too.
      await this.ping().catch(() => {});
      const pause = Math.max(pings.leastPause, this.now() - sentAt);
      await new Promise<void>(resolve => this.after(pause, resolve));
      if (round !== this.round) {
        return;
      }
    }
    this.asks ??= false;
    this.release();
  }
}
