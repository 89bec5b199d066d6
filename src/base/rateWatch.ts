const second = 1000;

/** Notices when something comes more often than it should. */
export class RateWatch {
  private readonly mostPerSecond: number;
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;

  constructor(mostPerSecond: number) {
    this.mostPerSecond = mostPerSecond;
  }

  /** Notes that it came once more. `true`: that is too often within the second. */
  note(): boolean {
    const now = Date.now();
    // A clock that was set back begins a second of its own.
    if (now - this.since >= second || now < this.since) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > this.mostPerSecond;
  }
}
