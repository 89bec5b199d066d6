import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Emitter, type Event } from '../../base/emitter.ts';
import { LineReader } from '../../base/lineReader.ts';
import { within } from '../../base/within.ts';
import { redacted } from '../../domain/redact.ts';
import type { ServerEnding } from '../../domain/servers/serverFaults.ts';
import { Descendants } from './descendants.ts';
import { killTree, terminateTree } from './processTree.ts';
import { isProgramFile } from './programFile.ts';
import { type Attempted, startError } from './startError.ts';
import { windowsCommand } from './windowsCommand.ts';

/** How a server process ended. `error` is set, and the rest empty, when it could not be started. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
  /** The last lines the process wrote to stderr. */
  readonly stderr: readonly string[];
}

/** How to start a process, with everything already resolved. */
export interface ProcessStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Values that no line of its standard error and no failure may repeat. */
  readonly secrets?: readonly string[];
}

/** How long stopping waits at each step, in milliseconds. */
export interface Grace {
  /** After the end of stdin, until the termination signal. */
  readonly end: number;
  /** After the termination signal, until the kill. */
  readonly terminate: number;
}

const stderrLines = 20;
const longestStderrLine = 64 * 1024;
/** How long output may still arrive after the process is gone, held open by somebody it started. */
const drainTime = 200;

/** One server process, started in a process group of its own so that all it starts ends with it. */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Settles once the process and its group are gone. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly tail: string[] = [];
  private readonly descendants = new Descendants();
  private readonly didWriteStderr = new Emitter<string>();
  private stopping: Promise<ProcessEnd> | undefined;
  private endedByItself = false;
  private force: ServerEnding['force'];
  private leftBehind = 0;

  /** Each line the process writes to stderr. */
  readonly onDidWriteStderr: Event<string> = this.didWriteStderr.event;

  constructor({ command, args, cwd, env, secrets = [] }: ProcessStart) {
    const isWindows = process.platform === 'win32';
    const found = isWindows
      ? windowsCommand({ command, args, cwd, env }, isProgramFile)
      : { command, args, isVerbatim: false };
    this.child = spawn(found.command, found.args, {
      cwd,
      env,
      stdio: 'pipe',
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: found.isVerbatim,
    });
    this.ended = this.watchEnd({ command, cwd });
    this.drainStderr(secrets);
    // A write to a process that is gone is reported by `ended`; unheard it would end ours.
    this.child.stdin.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether the process is gone, or never came to be, without having been asked to stop. */
  get hasEndedByItself(): boolean {
    return this.endedByItself;
  }

  /** How it had to be ended; `undefined` when it ended as it should, or has not yet. */
  get ending(): ServerEnding | undefined {
    const { force, leftBehind } = this;
    return force || leftBehind > 0 ? { force, leftBehind } : undefined;
  }

  /** Ends the process and its group: end of stdin, termination signal, kill. Further calls join the first. */
  stop(grace: Grace): Promise<ProcessEnd> {
    this.stopping ??= this.stopInSteps(grace);
    return this.stopping;
  }

  /** Whether the process is gone within the given milliseconds. */
  endsWithin(milliseconds: number): Promise<boolean> {
    return within(
      this.ended.then(() => true),
      milliseconds,
      false,
    );
  }

  /** Kills the group at once, without waiting. For when this process itself is about to end. */
  kill(): void {
    this.descendants.lookBelow(this.pid);
    killTree(this.child);
    this.descendants.kill();
  }

  private async stopInSteps({ end, terminate }: Grace): Promise<ProcessEnd> {
    // Before each step: with the process the way to what it has started is gone.
    this.descendants.lookBelow(this.pid);
    this.child.stdin.end();
    if (!(await this.endsWithin(end))) {
      this.descendants.lookBelow(this.pid);
      this.force = 'terminate';
      terminateTree(this.child);
      if (!(await this.endsWithin(terminate))) {
        this.force = 'kill';
        this.kill();
      }
    }
    return this.ended;
  }

  private watchEnd(attempted: Attempted): Promise<ProcessEnd> {
    const { child, tail } = this;
    return new Promise(resolve => {
      const finish = (end: Omit<ProcessEnd, 'stderr'>) => resolve({ ...end, stderr: [...tail] });
      child.once('error', error => {
        if (child.pid === undefined) {
          this.endedByItself = true;
          finish({ code: null, signal: null, error: startError(error, attempted) });
        }
      });
      child.once('exit', (code, signal) => {
        this.endedByItself = !this.stopping;
        // After a signal to the whole group, who of it is last says nothing.
        this.leftBehind = this.force ? 0 : this.descendants.countLeft();
        // The process is gone, but what it started may not be.
        killTree(child);
        this.descendants.kill();
        // What has come by then is read before, also when this process was held up meanwhile.
        const end = () => setImmediate(() => finish({ code, signal }));
        const timer = setTimeout(end, drainTime);
        child.once('close', () => {
          clearTimeout(timer);
          finish({ code, signal });
        });
      });
    });
  }

  /** Read always: a server that blocks on a full stderr pipe answers nothing any more. */
  private drainStderr(secrets: readonly string[]): void {
    const reader = new LineReader(longestStderrLine, bytes => {
      const line = redacted(bytes.toString(), secrets);
      this.tail.push(line);
      this.tail.splice(0, this.tail.length - stderrLines);
      this.didWriteStderr.fire(line);
    });
    this.child.stderr.on('data', (chunk: Buffer) => reader.push(chunk));
    this.child.stderr.on('end', () => reader.end());
  }
}
