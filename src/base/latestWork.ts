/** The latest of works of which each takes the place of the one before. */
export class LatestWork {
  private work: Promise<void> = Promise.resolve();

  /**
   * Settles when the work has come to its end, or the one that took its place has.
   *
   * @param work never rejects.
   */
  begin(work: Promise<void>): Promise<void> {
    this.work = work;
    return this.settled();
  }

  /** Settles when nothing is under way any more. */
  async settled(): Promise<void> {
    for (let awaited: unknown; awaited !== this.work; ) {
      awaited = this.work;
      await awaited;
    }
  }
}
