/** Lets callers wait for work. If newer work replaces the work, they wait for the newer work. */
export class LatestWork {
  private work: Promise<void> = Promise.resolve();

  /**
   * Replaces earlier work by `work`. Resolves like {@link settled}.
   *
   * @param work never rejects.
   */
  begin(work: Promise<void>): Promise<void> {
    this.work = work;
    return this.settled();
  }

  /** Resolves when the current work, or work that has replaced it meanwhile, has ended. */
  async settled(): Promise<void> {
    for (let awaited: unknown; awaited !== this.work; ) {
      awaited = this.work;
      await awaited;
    }
  }
}
