import { readdirSync, readFileSync } from 'node:fs';

/**
 * What a process has started, and what that has, so that it can be ended even where it has left the
 * process group. On Linux only, and only what was below the process when it was looked at: what a
 * process leaves behind that ends by itself is nobody's child any more, and is not found.
 */
export class Descendants {
  /** When each was started, by its id: ids are used again. */
  private readonly seen = new Map<number, string>();

  /** Remembers those that are there now. */
  lookBelow(pid: number | undefined): void {
    const children = process.platform === 'linux' && pid !== undefined ? childrenOf(pid) : [];
    for (const child of children) {
      const startTime = startTimeOf(child);
      if (startTime !== undefined && this.seen.get(child) !== startTime) {
        this.seen.set(child, startTime);
        this.lookBelow(child);
      }
    }
  }

  /** How many of those that were seen still run. */
  countLeft(): number {
    return this.left().filter(pid => !hasEnded(pid)).length;
  }

  /** Kills all that were seen and are still there, and what those have started since. */
  kill(): void {
    for (const pid of this.left()) {
      this.lookBelow(pid);
    }
    for (const pid of this.left()) {
      killOne(pid);
    }
  }

  private left(): number[] {
    return [...this.seen.keys()].filter(pid => startTimeOf(pid) === this.seen.get(pid));
  }
}

function childrenOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return attempt(() => readdirSync(folder), [])
    .map(thread => attempt(() => readFileSync(`${folder}/${thread}/children`, 'utf8'), ''))
    .flatMap(text => text.split(' ').filter(Boolean).map(Number));
}

function startTimeOf(pid: number): string | undefined {
  return statusOf(pid)[19];
}

/** Whether it is only kept until its end is heard of. */
function hasEnded(pid: number): boolean {
  return statusOf(pid)[0] === 'Z';
}

function statusOf(pid: number): readonly string[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  // It stands after the name, which is in parentheses and may hold more of them.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** What can't be read belongs to a process that is gone, or to a system without such files. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It is gone already, or has become somebody else's, as a program of the administrator does.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}
