import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { hubMark } from '../hubMark.ts';
import { reaperScript } from './reaperScript.ts';

type ReaperProcess = ChildProcessByStdio<Writable, null, null>;

/** A process that is about to be started, until it is watched, or was not started after all. */
export interface Expected extends IDisposable {
  /** For its environment: what tells it from all others, and that a hub has started it. */
  readonly variable: Readonly<Record<string, string>>;
}

/**
 * Ends the process groups that are still there when this process is gone, however it went: a
 * process that is killed can do nothing any more, so another one waits for the end of its pipe.
 * It is one small shell for all groups. What has left its group is not found. A process that was
 * being started in that moment, whose number nobody could tell any more, is known by a variable of
 * its environment.
 *
 * On Windows there is nothing to do: Node puts children that are not detached into a job that the
 * system ends with this process.
 */
export class Reaper implements IDisposable {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly groups = new Set<number>();
  private readonly marks = new Set<string>();
  private process: ReaperProcess | undefined;
  private isDisposed = false;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  /** The process that waits, once a group was watched. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Where there is nothing to do, and at the end, it is given its mark and not waited for. */
  expect(): Expected {
    const mark = randomUUID();
    if (this.isOpen) {
      this.marks.add(mark);
      this.tell(`?${mark}`);
    }
    return {
      variable: { [hubMark]: mark },
      dispose: () => {
        if (this.marks.delete(mark)) {
          this.process?.stdin.write(`!${mark}\n`);
          this.release();
        }
      },
    };
  }

  /** Watches a group from now on, and whatever is started in it. */
  watch(group: number): void {
    if (this.isOpen) {
      this.groups.add(group);
      this.tell(`+${group}`);
    }
  }

  /** The group is gone; its number may soon be another's. */
  forget(group: number): void {
    if (this.groups.delete(group)) {
      this.process?.stdin.write(`-${group}\n`);
      this.release();
    }
  }

  /** Watches nothing new, and lets the reaper end as soon as nothing is left that it watches. */
  dispose(): void {
    this.isDisposed = true;
    this.release();
  }

  private get isOpen(): boolean {
    return process.platform !== 'win32' && !this.isDisposed;
  }

  private release(): void {
    if (this.isDisposed && this.groups.size + this.marks.size === 0) {
      this.process?.stdin.end();
    }
  }

  private launch(): void {
    const reaper = spawn('/bin/sh', ['-c', reaperScript], {
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
    const lines = [
      ...[...this.groups].map(group => `+${group}`),
      ...[...this.marks].map(mark => `?${mark}`),
    ];
    reaper.stdin.write(lines.map(line => `${line}\n`).join(''));
  }

  /** One that has to be launched first is told of all. */
  private tell(line: string): void {
    if (this.process) {
      this.process.stdin.write(`${line}\n`);
    } else {
      this.launch();
    }
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
