import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The bench's temporary things: a folder for its trees, and processes.  They are gone when this
 * process ends, even after a failure or Ctrl-C.
 */
export class Scratch {
  readonly folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-roots-bench-')));
  private readonly children = new Set<ChildProcess>();
  private readonly ends: (() => unknown)[] = [];

  constructor() {
    // So that whatever anybody makes in the folder for such things is in this one.
    process.env['TMPDIR'] = this.folder;
    process.once('exit', () => this.clear());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
    }
  }

  /** Kills the process in the end, if it still runs then. */
  owns<C extends ChildProcess>(child: C): C {
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    return child;
  }

  /** Runs this at the end; only its synchronous part counts. */
  atExit(end: () => unknown): void {
    this.ends.push(end);
  }

  private clear(): void {
    // First the processes that write into the folder.
    for (const end of this.ends) {
      end();
    }
    for (const child of this.children) {
      child.kill('SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
