import { readdirSync, readFileSync, statfs } from 'node:fs';
import { within } from '../../base/timeLimit.ts';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { wayTo } from './nestedRoots.ts';

/** The longest wait for a disk, in milliseconds. */
const longestWait = 1000;
/** The milliseconds after which the list of mounts is read again. */
const mountsKnown = 1000;

/** The types of disks of other machines or of programs. If such a disk stops answering, calls to it hang. */
const canFail = /^(?:fuse|nfs|cifs|smb|9p|afs|ceph|gluster|lustre|davfs|virtiofs|vboxsf|prl_fs)/;

/** A system call that a disk has not answered yet. `isLate`: the longest wait for it is over. */
interface DiskQuestion {
  readonly answer: Promise<true>;
  isLate: boolean;
}

/** The mount paths of disks that can stop answering. */
type Mounts = readonly string[];

/**
 * Finds out which disks answer. Asks a disk that can stop answering by a system call in another
 * thread. A disk without an answer is silent. No path over a silent disk is used, because a system
 * call in this thread would block all calls, and the notice that removes the root.
 */
export class Disks {
  /** The questions by mount paths. A silent disk gets no second question before it answers. */
  private readonly questions = new Map<string, DiskQuestion>();
  /** The disks that answered the last question. */
  private readonly answering = new Set<string>();
  /** For a list of paths: the disks on the way or below, and all mounts at that time. */
  private readonly near = new WeakMap<
    Mounts,
    { readonly mounts: Mounts; readonly found: Mounts }
  >();
  private mounts: Mounts = [];
  private readAt = Number.NEGATIVE_INFINITY;

  /**
   * Asks the disks that can stop answering, if they are on the way to these paths or below. Wait
   * for the result before you use the paths. `undefined`: there is no such disk.
   */
  ask(paths: readonly string[]): Promise<unknown> | undefined {
    const mounts = this.readAgain();
    const known = this.near.get(paths);
    const found = known?.mounts === mounts ? known.found : undefined;
    if (mounts.length === 0 || found?.length === 0) {
      return undefined;
    }
    return found ? Promise.all(found.map(at => this.hasAnswered(at))) : this.explore(paths, mounts);
  }

  /** Whether a question to a disk is unanswered. */
  get isAsking(): boolean {
    return this.questions.size > 0;
  }

  /** The place on the way to a path where a silent disk begins; `undefined` if all disks answer. */
  silentOn(path: string): string | undefined {
    const end = this.mounts.length === 0 ? undefined : this.endOf(path);
    return end !== undefined && this.isBarred(end) ? end : undefined;
  }

  private endOf(path: string): string {
    return wayTo(path, step => this.isBarred(step)).at(-1) ?? path;
  }

  private isBarred(step: string): boolean {
    return this.mounts.some(at => isAtOrBelow(step, at) && !this.answering.has(at));
  }

  /** Finds the disks near these paths. Follows links on a disk only after that disk has answered. */
  private async explore(paths: readonly string[], mounts: Mounts): Promise<void> {
    const found = new Set<string>();
    let isSure = true;
    for (;;) {
      const ends = paths.map(path => this.endOf(path));
      const next = mounts.filter(
        at => !found.has(at) && ends.some(end => isAtOrBelow(end, at) || isAtOrBelow(at, end)),
      );
      if (next.length === 0) {
        break;
      }
      const answers = await Promise.all(next.map(at => this.hasAnswered(at)));
      isSure &&= answers.every(Boolean);
      for (const at of next) {
        found.add(at);
      }
    }
    if (isSure) {
      this.near.set(paths, { mounts, found: [...found] });
    }
  }

  private async hasAnswered(at: string): Promise<boolean> {
    const question = this.questions.get(at) ?? this.questionTo(at);
    // After one full wait, nobody waits for this question again.
    question.isLate ||= !(await within(question.answer, longestWait, false));
    if (question.isLate && this.questions.has(at)) {
      this.answering.delete(at);
    }
    return this.answering.has(at);
  }

  private questionTo(at: string): DiskQuestion {
    // Not `stat`: the system answers `stat` from its cache, even for a disk that has stopped.
    const answer = new Promise<true>(resolve => statfs(at, () => resolve(true)));
    const question: DiskQuestion = { answer, isLate: false };
    this.questions.set(at, question);
    void answer.then(() => {
      this.questions.delete(at);
      this.answering.add(at);
    });
    return question;
  }

  private readAgain(): Mounts {
    const now = performance.now();
    if (now - this.readAt > mountsKnown) {
      this.readAt = now;
      const mounts = readMounts();
      this.mounts = mounts.join('\n') === this.mounts.join('\n') ? this.mounts : mounts;
    }
    return this.mounts;
  }
}

/** The mounts of disks that can stop answering, read without touching any disk. */
function readMounts(): Mounts {
  try {
    return process.platform === 'darwin'
      ? readdirSync('/Volumes').map(name => `/Volumes/${name}`)
      : [...mountedTypes()].flatMap(([at, type]) => (canFail.test(type) ? [at] : []));
  } catch {
    return [];
  }
}

/** The types of mounted file systems by their paths (proc_pid_mountinfo). Empty except on Linux. */
export function mountedTypes(): ReadonlyMap<string, string> {
  const isKnown = process.platform === 'linux';
  const text = isKnown ? readFileSync('/proc/self/mountinfo', 'utf8') : '';
  const types = text.split('\n').map(line => {
    const [, , , , at = ''] = line.split(' ');
    const path = at.replace(/\\(\d{3})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    return [path, / - (\S+) /.exec(line)?.[1] ?? ''] as const;
  });
  // If several file systems are mounted at one path, the last one is visible.
  return new Map(types);
}
