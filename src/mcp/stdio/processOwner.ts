import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Starter, startedBy } from '../../domain/servers/startedBy.ts';
import { type MarkedProcess, markedProcesses } from './markedProcesses.ts';
import { reaperScript } from './reaperScript.ts';

/** How many reapers that were lost are replaced at once. */
const mostLost = 3;

type Reaper = ChildProcessByStdio<Writable, null, null>;

/**
 * What the processes of one hub or one window have in common: a mark in their environments, and a
 * reaper, which ends what is still there when our own process is gone, however it went. A process
 * that is killed can do nothing any more, so another one waits for the end of its pipe: a small
 * shell, from the first start on. It ends what is in a group that it was told of and whatever
 * carries the mark.
 *
 * On Windows there is no reaper: Node puts children that are not detached into a job that the
 * system ends with this process.
 */
export class ProcessOwner implements IDisposable {
  private readonly logger: Pick<Logger, 'warn'>;
  /** How the marks of all its processes begin. */
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

  /** The process that waits for the end of this one, once a start came up. */
  get reaperPid(): number | undefined {
    return this.reaper?.pid;
  }

  /** The mark of a process that is about to be started, for its environment. */
  newMark(): string {
    // Before the process: it could not be told of any more if ours ended in between.
    if (this.isOpen && !this.reaper) {
      this.launchReaper();
    }
    return `${this.beginning}${randomUUID()}`;
  }

  /** Has the reaper watch a group from now on, and whatever is started in it. */
  watch(group: number): void {
    if (this.isOpen) {
      this.groups.add(group);
      this.reaper?.stdin.write(`+${group}\n`);
    }
  }

  /** The group is gone; its number may soon be another's. */
  forget(group: number): void {
    if (this.groups.delete(group)) {
      this.reaper?.stdin.write(`-${group}\n`);
      this.release();
    }
  }

  /** What carries the mark after the present turn. Who asks in one turn shares one look. */
  async look(mark: string): Promise<readonly MarkedProcess[]> {
    this.looking ??= setImmediate().then(() => {
      this.looking = undefined;
      return markedProcesses(this.beginning);
    });
    return (await this.looking).filter(found => found.mark === mark);
  }

  /** Watches nothing new, and ends the reaper as soon as nothing is left that it watches. */
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
      // In a session of its own: what the terminal or anybody sends to our group is not for it.
      detached: true,
      cwd: '/',
      // Some systems keep `grep` and `sleep` elsewhere.
      env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}` },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.reaper = reaper;
    reaper.on('error', error => this.loseReaper(reaper, error.message));
    reaper.on('exit', () => this.loseReaper(reaper, 'it has ended'));
    // A broken pipe: its end is told of by the event.
    reaper.stdin?.on('error', () => {});
    reaper.unref();
    const lines = [`${startedBy}=${this.beginning}`, ...[...this.groups].map(group => `+${group}`)];
    reaper.stdin?.write(lines.map(line => `${line}\n`).join(''));
  }

  /** Another one takes its place, which is told of all; where none lives, only with the next start. */
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
          `Servers may outlive what started them if that is killed, for want of a reaper: ${reason}`,
        );
      }
    }
  }
}
