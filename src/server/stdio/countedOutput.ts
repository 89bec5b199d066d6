import type { Writable } from 'node:stream';

/** How many characters of answers may be unread before the client is asked to read first. */
const mostUnread = 4 * 1024 * 1024;
/** So few that the source goes on before the client has to wait for it. */
const fewUnread = 1024 * 1024;
/** About what an answer that waits to be written holds in memory besides its text, in characters. */
const waitCost = 4096;

/** Up to how many characters, with that cost, a copy is cheaper than one more thing to write. */
const shortLine = 32 * 1024;

/** What holds still while nobody reads what comes of it. */
export interface Source {
  pause(): void;
  resume(): void;
}

/** Writes lines that come in parts, and holds their sources still while too many of them are unread. */
export class CountedOutput {
  private readonly output: Writable;
  private readonly sources: readonly Source[];
  private unread = 0;
  private isHeld = false;
  private isJoining = false;

  constructor(output: Writable, ...sources: readonly Source[]) {
    this.output = output;
    this.sources = sources;
  }

  /**
   * Settles when the operating system has the line; rejects when nobody can read it.
   * Of a request of ours `counts` is false: the answer to it comes from a source that would be held.
   */
  write(line: readonly string[], { counts }: { readonly counts: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const length = line.reduce((sum, part) => sum + part.length, waitCost);
      const cost = counts ? length : 0;
      const done = (error: Error | null | undefined) => {
        this.count(-cost);
        error ? reject(error) : resolve();
      };
      this.join();
      this.count(cost);
      if (length < shortLine) {
        this.output.write(`${line.join('')}\n`, done);
        return;
      }
      for (const part of line) {
        this.output.write(part);
      }
      // The line end goes alone: one string of both would be one more copy of a long line.
      this.output.write('\n', done);
    });
  }

  /** What is written within one turn of the event loop goes out in one piece. */
  private join(): void {
    if (!this.isJoining) {
      this.isJoining = true;
      this.output.cork();
      process.nextTick(() => {
        this.isJoining = false;
        this.output.uncork();
      });
    }
  }

  private count(change: number): void {
    this.unread += change;
    if (!this.isHeld && this.unread > mostUnread) {
      this.isHeld = true;
      for (const source of this.sources) {
        source.pause();
      }
    } else if (this.isHeld && this.unread < fewUnread) {
      this.isHeld = false;
      for (const source of this.sources) {
        source.resume();
      }
    }
  }
}
