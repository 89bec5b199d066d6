import type { IDisposable } from './disposable.ts';

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
    this.resume();
  }

  /** Stops the time, if it runs. */
  pause(): void {
    if (this.running) {
      this.left -= Date.now() - this.running.since;
      this.dispose();
    }
  }

  /** Lets the time go on, if it stands. */
  resume(): void {
    this.running ??= { timer: setTimeout(this.ring, Math.max(0, this.left)), since: Date.now() };
  }

  /** It rings no more, unless it is resumed. */
  dispose(): void {
    clearTimeout(this.running?.timer);
    this.running = undefined;
  }
}
