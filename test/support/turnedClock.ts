import type { TestContext } from 'node:test';
import type { After } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** A clock that stands still until a test turns it. */
export class TurnedClock {
  /** In milliseconds, from 0 on. */
  now = 0;
  private readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly after: After = (milliseconds, run) => {
    const timer = { at: this.now + milliseconds, run };
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  };

  /** How much waits for the time to pass. */
  get waiting(): number {
    return this.timers.size;
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const timer of [...this.timers].filter(({ at }) => at <= this.now)) {
      this.timers.delete(timer);
      timer.run();
    }
  }
}

/** Has timers, dates and the steady clock stand still at 0 until the test ticks `t.mock.timers`. */
export function mockClocks(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  t.mock.method(performance, 'now', () => Date.now() - performance.timeOrigin);
}
