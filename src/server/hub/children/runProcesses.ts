import type { StartedProcess } from '../../../mcp/connection.ts';
import type { Reaper } from '../reaper.ts';
import type { ProcessPlaces } from './processPlaces.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string>>;

/** What {@link RunProcesses} work with. */
export interface RunProcessesParts {
  readonly reaper: Pick<Reaper, 'expect' | 'watch' | 'forget'>;
  readonly places: ProcessPlaces;
}

/**
 * The processes of one child, of which there is one at a time: counted among those of all children,
 * and left to the reaper if our own process goes first.
 */
export class RunProcesses {
  private readonly parts: RunProcessesParts;
  private running = 0;
  private starts = 0;

  constructor(parts: RunProcessesParts) {
    this.parts = parts;
  }

  /**
   * Runs the start of a process when there is a place for it.
   *
   * @param start is given what is to be added to the environment of the process.
   * @throws {HumanError} when there is none.
   */
  async starting<T>(start: (mark: Environment) => Promise<T>): Promise<T> {
    const { places, reaper } = this.parts;
    this.starts += 1;
    try {
      await places.take(this);
      const expected = reaper.expect();
      try {
        return await start(expected.variable);
      } finally {
        expected.dispose();
      }
    } finally {
      this.starts -= 1;
      this.leave();
    }
  }

  /** A process came of a start. */
  note({ pid, ended }: StartedProcess): void {
    const { reaper } = this.parts;
    this.running += 1;
    reaper.watch(pid);
    void ended.then(() => {
      reaper.forget(pid);
      this.running -= 1;
      this.leave();
    });
  }

  private leave(): void {
    if (this.running + this.starts === 0) {
      this.parts.places.leave(this);
    }
  }
}
