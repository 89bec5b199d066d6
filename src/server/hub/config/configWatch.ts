import type { IDisposable } from '../../../base/disposable.ts';
import type { After } from '../../after.ts';
import { type ConfigText, readConfigText } from './configText.ts';

/** How a {@link ConfigWatch} looks at its file. */
export interface WatchParts {
  readonly after: After;
  /** From one look to the next, in milliseconds. */
  readonly interval: number;
  /** What was read of the file last. */
  readonly known: ConfigText;
  readonly onChange: (read: ConfigText) => void;
  /** What tells that a file may have changed. */
  readonly stampOf: (path: string) => Promise<string>;
}

/** Some file systems keep times to two seconds: until then a change may leave no trace but itself. */
const coarsestTime = 2000;

/**
 * Tells what a file says now, when that changes: also when it is replaced, removed, or comes back.
 *
 * It looks instead of being told, which works for files in a network, too. A change counts once it
 * was seen twice, one interval apart: until then it may be half of one.
 */
export class ConfigWatch implements IDisposable {
  private readonly path: string;
  private readonly parts: WatchParts;
  private stamp: string | undefined;
  /** How many more times the text is read although the stamp stays the same. */
  private readsLeft = 0;
  private told: string;
  private seen: string;
  private next: IDisposable;
  private isDisposed = false;

  constructor(path: string, parts: WatchParts) {
    this.path = path;
    this.parts = parts;
    this.told = contentOf(parts.known);
    this.seen = this.told;
    this.next = this.lookLater();
  }

  dispose(): void {
    this.isDisposed = true;
    this.next.dispose();
  }

  private lookLater(): IDisposable {
    return this.parts.after(this.parts.interval, () => void this.look());
  }

  private async look(): Promise<void> {
    const read = (await this.mayHaveChanged()) ? await readConfigText(this.path) : undefined;
    if (this.isDisposed) {
      return;
    }
    // Before anybody is told, who may fail: the file is watched on.
    this.next = this.lookLater();
    if (read) {
      this.take(read);
    }
  }

  private async mayHaveChanged(): Promise<boolean> {
    const stamp = await this.parts.stampOf(this.path);
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.readsLeft = 1 + Math.ceil(coarsestTime / this.parts.interval);
    }
    return this.readsLeft > 0;
  }

  private take(read: ConfigText): void {
    const content = contentOf(read);
    const isQuiet = content === this.seen;
    this.seen = content;
    // What is new is looked at once more in any case.
    this.readsLeft = Math.max(this.readsLeft - 1, isQuiet ? 0 : 1);
    if (isQuiet && content !== this.told) {
      this.told = content;
      this.parts.onChange(read);
    }
  }
}

function contentOf(read: ConfigText): string {
  return read.ok ? `+${read.text}` : `-${read.reason}`;
}
