import { HumanError } from '../../domain/sentence.ts';
import type { StartedProcess } from '../../mcp/session.ts';

/** Limits how many servers of a hub, of all its clients together, have a process at a time. */
export class ProcessLimit {
  private readonly most: number;
  private readonly makeRoom: () => Promise<unknown> | undefined;
  /** The servers that have a place, each with the number of its starts and processes. */
  private readonly counts = new Map<object, number>();

  /**
   * @param makeRoom ends processes that nobody needs, and settles when they are gone; `undefined`:
   * there are none.
   */
  constructor(most: number, makeRoom: () => Promise<unknown> | undefined) {
    this.most = most;
    this.makeRoom = makeRoom;
  }

  /**
   * Runs the start of a server's process when the server has a place, or gets a free one.
   *
   * @throws {HumanError} when all places are taken by servers that somebody needs.
   */
  async starting<T>(server: object, start: () => Promise<T>): Promise<T> {
    while (!this.counts.has(server) && this.counts.size >= this.most) {
      const room = this.makeRoom();
      if (!room) {
        throw new HumanError(
          'The hub runs {0} servers already, and no more at a time. Try again when some of its ' +
            'clients have ended, or take servers out of its configuration.',
          String(this.most),
        );
      }
      await room;
    }
    this.count(server, 1);
    return start().finally(() => this.count(server, -1));
  }

  /** Counts a process that was started: the server keeps its place until the process is gone. */
  note(server: object, { ended }: StartedProcess): void {
    this.count(server, 1);
    void ended.then(() => this.count(server, -1));
  }

  private count(server: object, change: 1 | -1): void {
    const count = (this.counts.get(server) ?? 0) + change;
    if (count > 0) {
      this.counts.set(server, count);
    } else {
      this.counts.delete(server);
    }
  }
}
