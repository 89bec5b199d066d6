/** Lets callers wait for the newest work, also for work that begins during their wait. */
export class LatestWork {
  private work: Promise<void> = Promise.resolve();

  /**
   * Makes `work` the newest. Resolves like {@link settled}.
   *
   * @param work must never reject.
   */
  begin(work: Promise<void>): Promise<void> {
    this.work = work;
    return this.settled();
  }

  /** Resolves when the newest work has ended, even if that work began during the wait. */
  async settled(): Promise<void> {
    for (let awaited: unknown; awaited !== this.work; ) {
      awaited = this.work;
      await awaited;
    }
  }
}
