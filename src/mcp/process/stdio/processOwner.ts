import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { type Starter, startedBy } from '../../../domain/servers/startedBy.ts';
import { type MarkedProcess, markedProcesses } from './markedProcesses.ts';

/** The most reapers that are replaced immediately after they were lost. */
const mostLost = 3;

type Reaper = ChildProcessByStdio<Writable, null, null>;

/**
 * Owns the processes of one hub or one window, and marks each in its environment. If our own
 * process is gone, even by a kill, a reaper ends them. The reaper is a small shell that starts with
 * the first process and waits for the end of its input. Then it ends the process groups that it
 * knows, and every process with the mark.
 *
 * Windows needs no reaper: Node puts children that are not detached into a job, which the system
 * ends with this process.
 */
export class ProcessOwner implements IDisposable {
  private readonly logger: Pick<Logger, 'warn'>;
  /** The beginning of the mark of each of its processes. */
  private readonly beginning: string;
  private readonly groups = new Set<number>();
  private reaper: Reaper | undefined;
  private looking: Promise<readonly MarkedProcess[]> | undefined;
  private isDisposed = false;
  private lost = 0;

  constructor(starter: Starter, logger: Pick<Logger, 'warn'>) {
    this.beginning = `${starter}.${randomUUID()}.`;
    this.logger = logger;
  }

  /** The id of the reaper; `undefined` before the first start. */
  get reaperPid(): number | undefined {
    return this.reaper?.pid;
  }

  /** The mark for the environment of a process that is about to start. */
  newMark(): string {
    // The reaper comes first: if our process ended in between, nothing would end the new process.
    if (this.isOpen && !this.reaper) {
      this.launchReaper();
    }
    return `${this.beginning}${randomUUID()}`;
  }

  /** Makes the reaper watch a process group from now on. */
  watch(group: number): void {
    if (this.isOpen) {
      this.groups.add(group);
      this.reaper?.stdin.write(`+${group}\n`);
    }
  }

  /** Ends the watch of a group that is gone, because its number may soon belong to another group. */
  forget(group: number): void {
    if (this.groups.delete(group)) {
      this.reaper?.stdin.write(`-${group}\n`);
      this.release();
    }
  }

  /** Finds the processes with the mark, in the next turn. All calls of one turn share a search. */
  async look(mark: string): Promise<readonly MarkedProcess[]> {
    this.looking ??= setImmediate().then(() => {
      this.looking = undefined;
      return markedProcesses(this.beginning);
    });
    return (await this.looking).filter(found => found.mark === mark);
  }

  /** Watches nothing new. The reaper ends as soon as it watches no group any more. */
  dispose(): void {
    this.isDisposed = true;
    this.release();
  }

  private get isOpen(): boolean {
    return process.platform !== 'win32' && !this.isDisposed;
  }

  private release(): void {
    if (this.isDisposed && this.groups.size === 0) {
      this.reaper?.kill('SIGKILL');
    }
  }

  private launchReaper(): void {
    const reaper = spawn('/bin/sh', ['-c', reaperScript], {
      // Puts the reaper in a new session, because signals to our own process group must not reach it.
      detached: true,
      cwd: '/',
      // Some systems keep `grep` and `sleep` elsewhere.
      env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.reaper = reaper;
    reaper.on('error', error => this.loseReaper(reaper, error.message));
    reaper.on('exit', () => this.loseReaper(reaper, 'the reaper has ended'));
    // The exit event reports a broken pipe.
    reaper.stdin?.on('error', () => {});
    reaper.unref();
    const lines = [`${startedBy}=${this.beginning}`, ...[...this.groups].map(group => `+${group}`)];
    reaper.stdin?.write(lines.map(line => `${line}\n`).join(''));
  }

  /** Starts another reaper, which learns all groups. Without groups, `newMark` later starts it. */
  private loseReaper(reaper: Reaper, reason: string): void {
    if (this.reaper === reaper) {
      this.reaper = undefined;
      this.lost += 1;
      if (this.isOpen && this.groups.size > 0 && this.lost <= mostLost) {
        this.launchReaper();
        return;
      }
      if (!this.isDisposed) {
        this.logger.warn(
          `The process that ends servers (the reaper) failed. If the editor or hub is killed, servers may keep running: ${reason}`,
        );
      }
    }
  }
}

/**
 * The script of the reaper, for `sh`. The first line of its input is the mark of its owner, in the form of
 * environments. No command line may show the mark. Each other line is `+` or `-` and the number of a group. At
 * the end of its input, the script ends these groups and the groups of all processes with the mark.
 *
 * With blanks around each number, the script finds and removes only whole numbers. A group that was found gone
 * is left alone from then on, because its number may soon belong to another group. A starting process shows its
 * mark a moment later, so the script never stops after its first look.
 */
export const reaperScript = `
trap '' HUP INT QUIT TERM
read -r mark || exit
case $mark in *=*.*.) ;; *) exit ;; esac
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
marked() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
      stat=$(cat "\${file%environ}stat" 2>&-) || continue
      set -- \${stat##*) }
      echo "$3"
    done
  else
    ps -axEww -o pgid=,command= | while read -r group rest; do
      case $rest in *"$mark"*) echo "$group" ;; esac
    done
  fi
}
first=yes
for signal in TERM 0 KILL KILL KILL; do
  for group in $(marked); do
    case $groups in *" $group "*) ;; *) groups="$groups$group " ;; esac
  done
  left=' '
  for group in $groups; do
    [ "$group" -gt 1 ] && kill -s "$signal" -- "-$group" 2>&- && left="$left$group "
  done
  groups=$left
  [ "$groups$first" = ' ' ] && exit
  first=
  sleep 1
done
`;
