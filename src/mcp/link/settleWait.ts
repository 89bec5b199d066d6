import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { WaitingLine } from '../../base/limiter.ts';

/** The most milliseconds that calls wait after the start, and again after the first answer with roots. */
const longest = 3000;

/**
 * The number of pings that a server must answer in a row. Each answer shows that the server had a
 * turn. The pause after it gives time to threads that look at the disk, as in server-filesystem. A
 * pause is as long as the answer took, and at least `leastPause` milliseconds.
 */
const pings = { count: 10, leastPause: 10 };

/**
 * Holds calls until a legacy server had time to take in its roots. Many servers that ask for roots
 * refuse every path until then, and the protocol does not tell when that is. So the server is
 * pinged after its start, when it may ask, and after each answer with roots. A fixed time would not
 * do: on a busy machine, the server gets little done in it. Later requests for roots hold no calls,
 * because some servers ask within every call, or on a timer.
 */
export class SettleWait implements IDisposable {
  private readonly after: After;
  private readonly ping: () => Promise<unknown>;
  private readonly now: () => number;
  private readonly queue = new WaitingLine();
  /**
   * `new`: the server may still ask for its first roots. `silent`: it did not ask. `changed`: it
   * has to ask again. `answered`: it got its roots. `settled`: it had time to take in these roots.
   */
  private state: 'new' | 'silent' | 'changed' | 'answered' | 'settled' = 'new';
  /** The timer that ends the hold. `undefined`: no call is held. */
  private limit: IDisposable | undefined;
  /** Counts the series of pings. Only the latest series releases calls. */
  private round = 0;

  /** @param ping pings the server. The ping may fail, and may never settle. */
  constructor(after: After, ping: () => Promise<unknown>, now = () => performance.now()) {
    this.after = after;
    this.ping = ping;
    this.now = now;
  }

  /** Whether no call is held for the server's roots. */
  get isOver(): boolean {
    return this.limit === undefined;
  }

  /**
   * Call it when the server runs, because it may then ask for its roots. If it never asked after an
   * earlier start, holds no calls.
   */
  begin(): void {
    if (this.state !== 'silent' && this.isOver) {
      this.hold();
      void this.releaseAfterPings();
    }
  }

  /** Call it when the server's roots have changed. If the server never asks for roots, calls are not held. */
  renew(): void {
    if (this.state !== 'new' && this.state !== 'silent') {
      this.state = 'changed';
      this.hold();
    }
  }

  /** Call it when the server got its roots. */
  answered(): void {
    if (this.state === 'settled') {
      return;
    }
    // A second answer begins no new hold, but new pings, because the first may be out of date.
    if (this.state !== 'answered') {
      this.state = 'answered';
      this.hold();
    }
    void this.releaseAfterPings();
  }

  /** Call it when the server has stopped running. */
  end(): void {
    this.release();
    this.state = this.state === 'settled' ? 'changed' : this.state;
  }

  /** Resolves when no call is held. @throws the signal's reason if the signal is aborted first. */
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
    if (this.state === 'answered') {
      this.state = 'settled';
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
    this.state = this.state === 'new' ? 'silent' : this.state;
    this.release();
  }
}
