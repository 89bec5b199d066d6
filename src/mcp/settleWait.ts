import type { After } from '../base/clock.ts';
import type { IDisposable } from '../base/disposable.ts';
import { WaitingLine } from '../base/limiter.ts';

/** In milliseconds: the longest that calls are held back from the start on, and again from the first answer on. */
const longest = 3000;
/** The longest pause between the answer to a ping and the next ping, in milliseconds. */
const longestPause = 250;

/** How many answered pings in a row are waited for. */
interface Pings {
  readonly count: number;
  /** Between the answer to one and the next: in milliseconds at least, and in times that the answer took. */
  readonly pause: { readonly least: number; readonly answers: number };
}

/** For a server to ask for its roots. Some do when they have read their settings, or looked at a disk. */
const toAsk: Pings = { count: 4, pause: { least: 25, answers: 4 } };

/**
 * For a server to take so many in, which it is at work on already. server-filesystem, which resolves each
 * path and looks at each folder, one after the other, needed at most 3 for one root, 5 for ten and 15 for
 * sixty, in 120 starts with between two processors and a fifteenth of one; the pause is for its threads,
 * which look at the disk, where answering a ping takes none.
 */
function toTakeIn(roots: number): Pings {
  return { count: 4 + Math.ceil(roots / 2), pause: { least: 5, answers: 2 } };
}

/**
 * Holds calls back until a legacy server has had the time to take in its roots. Many servers that
 * ask for roots refuse every path until they have them, and nothing in the protocol tells when that
 * is. So the server is pinged after its start and after each answer for roots: when it answers the
 * first ping, it has read all that came before, and each further one gives it another turn to work on
 * that. A moment of fixed length would not: on a busy machine a server gets little of it. Afterwards
 * it may ask for its roots as often as it likes without holding back calls: some servers ask within
 * every call, and some only later, on a timer of their own.
 */
export class SettleWait implements IDisposable {
  private readonly after: After;
  private readonly ping: () => Promise<unknown>;
  private readonly now: () => number;
  private readonly queue = new WaitingLine();
  /** Whether the server asks for roots at all; `undefined` until that is known. */
  private asks: boolean | undefined;
  /** Whether the server was handed its present roots. */
  private isAnswered = false;
  /** Whether the server had the time to take in its present roots. */
  private isSettled = false;
  /** Runs as long as calls are held back. */
  private limit: IDisposable | undefined;
  private timer: IDisposable | undefined;
  private lastPing = 0;

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
      this.releaseAfter(toAsk);
    }
  }

  /** The server is told of other roots. For a server that never asks, calls are not held back. */
  renew(): void {
    if (this.asks) {
      this.isAnswered = false;
      this.isSettled = false;
      this.hold();
    }
  }

  /** The server was handed so many roots. */
  answered(roots: number): void {
    this.asks = true;
    if (this.isSettled) {
      return;
    }
    // The server may have sent the request for the first answer before it was told of a change.
    if (!this.isAnswered) {
      this.isAnswered = true;
      this.hold();
    }
    this.releaseAfter(toTakeIn(roots));
  }

  /** The server does not run any more. */
  end(): void {
    this.release();
    this.isAnswered = false;
    this.isSettled = false;
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
    this.isSettled = this.isAnswered;
    this.clear();
    this.queue.callAll();
  }

  private clear(): void {
    this.limit?.dispose();
    this.limit = undefined;
    this.stopWatching();
  }

  private stopWatching(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.lastPing += 1;
  }

  /** Releases the calls when so many pings in a row are answered, and a pause after each is over. */
  private releaseAfter({ count, pause }: Pings): void {
    this.stopWatching();
    if (count === 0) {
      this.asks ??= false;
      this.release();
      return;
    }
    const { lastPing } = this;
    const sentAt = this.now();
    const goOn = () => {
      if (lastPing === this.lastPing) {
        const wanted = Math.max(pause.least, pause.answers * (this.now() - sentAt));
        const next = () => this.releaseAfter({ count: count - 1, pause });
        this.timer = this.after(Math.min(wanted, longestPause), next);
      }
    };
    // An error answers the ping, too.
    void this.ping().then(goOn, goOn);
  }
}
