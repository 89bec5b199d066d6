import { PageHeartbeat } from '../../src/extension/servers/pageHeartbeat.ts';
import { TurnedClock } from './turnedClock.ts';

/** The page of a window, which answers or not as a test says; its time stands still until it is turned. */
export class TurnedPage {
  readonly clock = new TurnedClock();
  /** How often it was called. */
  calls = 0;
  private isThere = true;
  private unanswered: (() => void)[] = [];
  readonly heartbeat = new PageHeartbeat(
    () => {
      this.calls += 1;
      return new Promise(resolve => {
        this.unanswered.push(() => resolve(undefined));
        this.answerAll();
      });
    },
    this.clock.after,
    () => this.clock.now,
  );

  /** Has it answer nothing from now on. */
  goes(): void {
    this.isThere = false;
  }

  /** Has it answer the first call that it has not answered. */
  answersOne(): void {
    this.unanswered.shift()?.();
  }

  /** Lets the page answer the calls so far, and all later ones. */
  returns(): void {
    this.isThere = true;
    this.answerAll();
  }

  /** Turns the time by so many beats; answers arrive in between. */
  async pass(beats: number): Promise<void> {
    await new Promise(setImmediate);
    for (let beat = 0; beat < beats; beat++) {
      this.clock.pass(2500);
      await new Promise(setImmediate);
    }
  }

  private answerAll(): void {
    if (this.isThere) {
      for (const answer of this.unanswered.splice(0)) {
        answer();
      }
    }
  }
}
