import type { StartedProcess } from '../../../mcp/connection.ts';
import type { ProcessPlaces } from './processPlaces.ts';

/** The processes of one child, of which there is one at a time: counted among those of all children. */
export class RunProcesses {
  private readonly places: ProcessPlaces;
  private running = 0;
  private starts = 0;

  constructor(places: ProcessPlaces) {
    this.places = places;
  }

  /**
   * Runs the start of a process when there is a place for it.
   *
   * @throws {HumanError} when there is none.
   */
  async starting<T>(start: () => Promise<T>): Promise<T> {
    this.starts += 1;
    try {
      await this.places.take(this);
      return await start();
    } finally {
      this.starts -= 1;
      this.leave();
    }
  }

  /** A process came of a start. */
  note({ ended }: StartedProcess): void {
    this.running += 1;
    void ended.then(() => {
      this.running -= 1;
      this.leave();
    });
  }

  private leave(): void {
    if (this.running + this.starts === 0) {
      this.places.leave(this);
    }
  }
}
