/** Lets callers wait for work that newer work may replace meanwhile: they wait for the newest. */
export class LatestWork {
  private work: Promise<void> = Promise.resolve();

  /**
   * Puts `work` in the place of earlier work. Resolves as {@link settled} does.
   *
   * @param work never rejects.
   */
  begin(work: Promise<void>): Promise<void> {
    this.work = work;
    return this.settled();
  }

  /** Resolves when the work of this moment, or what has replaced it since, has ended. */
  async settled(): Promise<void> {
    for (let awaited: unknown; awaited !== this.work; ) {
      awaited = this.work;
      await awaited;
    }
  }
}
