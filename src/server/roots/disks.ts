import { readFileSync, stat } from 'node:fs';
import { within } from '../../base/timeLimit.ts';

/** How long a disk may take to say where a path leads, in milliseconds. */
const longestLook = 1000;
/** For how long what is mounted counts as known, in milliseconds. */
const mountsKnown = 1000;

/** What is mounted from elsewhere, or by a program: it can stop answering, and who asks then waits for good. */
const canFail =
  /^(?:fuse|nfs|cifs|smb|9p|afs|autofs|ceph|gluster|lustre|davfs|virtiofs|vboxsf|prl_fs)/;

/** A question to a disk that is not answered yet. */
interface Look {
  readonly answer: Promise<true>;
  isLate: boolean;
}

interface Mount {
  readonly at: string;
  readonly canFail: boolean;
}

/**
 * Which disks answer. They are asked without waiting for them in a call of the system that blocks: a
 * root on one that does not answer must not keep calls into others, or the notice that takes it away.
 */
export class Disks {
  /** A disk that does not answer is asked once, and not again before it has. */
  private readonly looks = new Map<string, Look>();
  private mounts: readonly Mount[] = [];
  private readAt = Number.NEGATIVE_INFINITY;

  /** Whether a path lies on a disk that may not answer, as it is written. */
  mayFail(path: string): boolean {
    return this.diskOf(path)?.canFail ?? false;
  }

  /** Whether there is such a disk at all, to which a link may lead. */
  get anyMayFail(): boolean {
    return this.known.some(({ canFail }) => canFail);
  }

  /** Of these paths those whose disk does not answer in time. */
  async silent(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const answers = await Promise.all(
      paths.map(async path => {
        const look = this.look(path);
        // Once it was waited for in vain, nobody else has to.
        look.isLate ||= !(await within(look.answer, longestLook, false));
        return look.isLate ? [path] : [];
      }),
    );
    return new Set(answers.flat());
  }

  private look(path: string): Look {
    // All paths of one such disk share a look: each would hold one of the few threads that there are.
    const disk = this.diskOf(path);
    const key = disk?.canFail ? disk.at : path;
    const known = this.looks.get(key);
    if (known) {
      return known;
    }
    const answer = new Promise<true>(resolve => stat(path, () => resolve(true)));
    const look: Look = { answer, isLate: false };
    this.looks.set(key, look);
    void answer.then(() => this.looks.delete(key));
    return look;
  }

  private diskOf(path: string): Mount | undefined {
    let found: Mount | undefined;
    for (const mount of this.known) {
      const start = mount.at.endsWith('/') ? mount.at : `${mount.at}/`;
      if (`${path}/`.startsWith(start) && mount.at.length >= (found?.at.length ?? 0)) {
        found = mount;
      }
    }
    return found;
  }

  private get known(): readonly Mount[] {
    const now = performance.now();
    if (now - this.readAt > mountsKnown) {
      this.readAt = now;
      this.mounts = readMounts();
    }
    return this.mounts;
  }
}

/** What is mounted where, which is known without a look at any disk. (proc_pid_mountinfo.) */
function readMounts(): readonly Mount[] {
  if (process.platform === 'win32') {
    return [];
  }
  if (process.platform === 'darwin') {
    return [{ at: '/Volumes', canFail: true }];
  }
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line): Mount[] => {
    const [, , , , at = ''] = line.split(' ');
    const type = / - (\S+) /.exec(line)?.[1] ?? '';
    const path = at.replace(/\\(\d{3})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    return path === '' ? [] : [{ at: path, canFail: canFail.test(type) }];
  });
}
