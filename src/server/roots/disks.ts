import { readdirSync, readFileSync, statfs } from 'node:fs';
import { within } from '../../base/timeLimit.ts';
import { wayTo } from './nestedRoots.ts';

/** The longest wait for a disk, in milliseconds. */
const longestWait = 1000;
/** For how long what is mounted counts as known, in milliseconds. */
const mountsKnown = 1000;

/** Disks of other machines or of programs: one can stop answering, and whoever asks then waits for good. */
const canFail = /^(?:fuse|nfs|cifs|smb|9p|afs|ceph|gluster|lustre|davfs|virtiofs|vboxsf|prl_fs)/;

/** A question to a disk that is not answered yet. */
interface DiskQuestion {
  readonly answer: Promise<true>;
  isLate: boolean;
}

/** The disks that can stop answering, by the paths where they are mounted. */
type Mounts = readonly string[];

/**
 * The disks, and which of them answer. Those that can fail are asked by a call of the system that no other
 * thread waits for, and no path is used that leads over one that has not answered: a root on one that does
 * not must not keep calls into others, or the notice that takes it away.
 */
export class Disks {
  /** A disk that does not answer is asked once, and not again before it has. */
  private readonly questions = new Map<string, DiskQuestion>();
  /** The disks that answered when last asked. */
  private readonly answering = new Set<string>();
  /** The disks near some paths, for the mounts with which they were found. */
  private readonly near = new WeakMap<
    Mounts,
    { readonly mounts: Mounts; readonly found: Mounts }
  >();
  private mounts: Mounts = [];
  private readAt = Number.NEGATIVE_INFINITY;

  /**
   * Asks the disks that can fail and that one of these paths leads over, or that are mounted below it:
   * to be waited for before they are used. `undefined`: there is none.
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

  /** Whether a disk was asked that has not answered yet. */
  get isAsking(): boolean {
    return this.questions.size > 0;
  }

  /** The place on the way to a path where a disk begins that has not answered; `undefined`: none. */
  silentOn(path: string): string | undefined {
    const end = this.mounts.length === 0 ? undefined : this.endOf(path);
    return end !== undefined && this.isBarred(end) ? end : undefined;
  }

  private endOf(path: string): string {
    return wayTo(path, step => this.isBarred(step)).at(-1) ?? path;
  }

  private isBarred(step: string): boolean {
    return this.mounts.some(at => isIn(step, at) && !this.answering.has(at));
  }

  /** Finds the disks near these paths: what a link on one of them leads to, is only known once that answers. */
  private async explore(paths: readonly string[], mounts: Mounts): Promise<void> {
    const found = new Set<string>();
    let isSure = true;
    for (;;) {
      const ends = paths.map(path => this.endOf(path));
      const next = mounts.filter(
        at => !found.has(at) && ends.some(end => isIn(end, at) || isIn(at, end)),
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
    // Once it was waited for in vain, nobody else has to.
    question.isLate ||= !(await within(question.answer, longestWait, false));
    if (question.isLate && this.questions.has(at)) {
      this.answering.delete(at);
    }
    return this.answering.has(at);
  }

  private questionTo(at: string): DiskQuestion {
    // Not `stat`: the system answers that for a disk that has stopped, from what it remembers.
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

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

/** The mounts of disks that can fail, known without a look at any. */
function readMounts(): Mounts {
  try {
    return process.platform === 'darwin'
      ? readdirSync('/Volumes').map(name => `/Volumes/${name}`)
      : [...mountedTypes()].flatMap(([at, type]) => (canFail.test(type) ? [at] : []));
  } catch {
    return [];
  }
}

/** The types of what is mounted, by the paths; on Linux alone. (proc_pid_mountinfo.) */
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
  // Of several that are mounted in one place, the last is the one that is seen.
  return new Map(types);
}
