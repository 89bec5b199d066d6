import type { IDisposable } from './disposable.ts';

/** As long as a timer can run, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;

/** Rings once when its time is over, in which pauses do not count. */
export class PausableTimer implements IDisposable {
  readonly rings: Promise<void>;
  private ring: () => void = () => {};
  private left: number;
  private running: { readonly timer: NodeJS.Timeout; readonly since: number } | undefined;

  constructor(milliseconds: number) {
    this.left = milliseconds;
    this.rings = new Promise(resolve => {
      this.ring = resolve;
    });
    this.run();
  }

  /** Stops the time; `false` lets it go on. */
  pause(isPaused: boolean): void {
    if (!isPaused) {
      this.run();
    } else if (this.running) {
      this.left -= Date.now() - this.running.since;
      this.dispose();
    }
  }

  /** It rings no more, unless it is let go on. */
  dispose(): void {
    clearTimeout(this.running?.timer);
    this.running = undefined;
  }

  private run(): void {
    this.running ??= { timer: setTimeout(this.ring, Math.max(0, this.left)), since: Date.now() };
  }
}
