import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

type ReaperProcess = ChildProcessByStdio<Writable, null, null>;

/**
 * Ends the process groups that are still there when this process is gone, however it went: a
 * process that is killed can do nothing any more, so another one waits for the end of its pipe.
 * It is one small shell for all groups. What has left its group is not found.
 *
 * On Windows there is nothing to do: Node puts children that are not detached into a job that the
 * system ends with this process.
 */
export class Reaper implements IDisposable {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly groups = new Set<number>();
  private process: ReaperProcess | undefined;
  private isDisposed = false;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  /** The process that waits, once a group was watched. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Watches a group from now on, and whatever is started in it. */
  watch(group: number): void {
    if (process.platform !== 'win32' && !this.isDisposed) {
      this.groups.add(group);
      if (this.process) {
        this.tell(`+${group}`);
      } else {
        this.launch();
      }
    }
  }

  /** The group is gone; its number may soon be another's. */
  forget(group: number): void {
    if (this.groups.delete(group)) {
      this.tell(`-${group}`);
      this.release();
    }
  }

  /** Watches nothing new, and lets the reaper end as soon as nothing is left that it watches. */
  dispose(): void {
    this.isDisposed = true;
    this.release();
  }

  private release(): void {
    if (this.isDisposed && this.groups.size === 0) {
      this.process?.stdin.end();
    }
  }

  private launch(): void {
    const reaper = spawn('/bin/sh', ['-c', script], {
      // In a session of its own: what the terminal or anybody sends to our group is not for it.
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.process = reaper;
    reaper.on('error', error => this.lose(reaper, error.message));
    reaper.on('exit', () => this.lose(reaper, 'it has ended'));
    // A broken pipe: its end is told of by the event.
    reaper.stdin.on('error', () => {});
    reaper.unref();
    for (const group of this.groups) {
      this.tell(`+${group}`);
    }
  }

  private tell(line: string): void {
    this.process?.stdin.write(`${line}\n`);
  }

  /** The next group brings another one, which is told of all. */
  private lose(reaper: ReaperProcess, reason: string): void {
    if (this.process === reaper) {
      this.process = undefined;
      if (!this.isDisposed) {
        this.logger.warn(
          `Servers may outlive a hub that is killed, for want of a reaper: ${reason}`,
        );
      }
    }
  }
}

// Numbers between blanks, so that each can be found and taken out whole.
const script = `
trap '' HUP INT QUIT TERM
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
[ "$groups" = ' ' ] && exit
for group in $groups; do kill -s TERM -- "-$group"; done
sleep 2
for group in $groups; do kill -s KILL -- "-$group"; done
`;
