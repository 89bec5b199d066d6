import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { LineReader } from '../../../base/lineReader.ts';
import { isLate, within } from '../../../base/timeLimit.ts';
import { redacted } from '../../../domain/secrets/redact.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import type { StartRoot } from '../../../domain/servers/rootsChange.ts';
import { startedBy } from '../../../domain/servers/startedBy.ts';
import { removeFolder } from '../removeFolder.ts';
import { giveInputs, withStdio } from './childStdio.ts';
import { hasEnded, type MarkedProcess, markedProcesses } from './markedProcesses.ts';
import { posixCommand } from './posixCommand.ts';
import type { ProcessOwner } from './processOwner.ts';
import { startError } from './startError.ts';
import { windowsCommand } from './windowsCommand.ts';
import {
  descendantsOnWindows,
  killOnWindows,
  killTreeNow,
  killTreeOnWindows,
  type WindowsProcess,
} from './windowsTree.ts';

/** An end that was not normal: it took force, or processes were left behind. */
export interface ServerEnding {
  /** The force that the end took. `undefined`: the process ended with its input. */
  readonly force: 'terminate' | 'kill' | undefined;
  /** The number of processes left running, which were ended, too. */
  readonly leftBehind: number;
}

/** The end of a server process. If the process could not start, `error` is set and the rest is empty. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
  /** The last lines the process wrote to stderr. */
  readonly stderr: readonly string[];
}

/** The start of a process, with everything resolved. */
export interface ProcessStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Values that no failure and no line of the process's standard error may repeat. */
  readonly secrets?: readonly string[];
  /** Our variables that the process did not get, because their proxy has a password. */
  readonly withheldProxies?: readonly string[];
  /** Whether the command first fetches the program, which may take minutes. */
  readonly mayDownload?: boolean;
  /** The contents of descriptors 3, 4 and so on. */
  readonly inputs?: readonly (string | Uint8Array)[];
  /** A folder that the process makes, removed once the process and all that it started are gone. */
  readonly temporary?: string;
  /** What the process sees in its sandbox. Left out: the process has no sandbox. */
  readonly sandbox?: SandboxFacts;
  /** Why the process has no sandbox, although it should have one where possible. */
  readonly noSandbox?: Sentence;
}

/** What a sandboxed process sees, besides the programs of the system. */
export interface SandboxFacts {
  /** The tool of the sandbox, with its version. */
  readonly tool: string;
  /** Whether the process learns the names of other files, and can't read them. */
  readonly seesNames?: boolean;
  /** The working directory as the server sees it. */
  readonly cwd: string;
  /** The folder that the process takes for the user's home. `undefined`: it has no private home. */
  readonly home?: string;
  readonly roots: readonly StartRoot[];
  /** Real paths that the process needs to run, and paths that the server's definition names. */
  readonly alsoSees: readonly { readonly path: string; readonly isWritable: boolean }[];
  readonly hasNetwork: boolean;
  readonly hasUnixSockets?: boolean;
  /** Folders that are read-only, because we could not find all files in them that other programs run. */
  readonly tooLarge?: readonly string[];
}

/** The waits of a stop at each step, in milliseconds. */
export interface Grace {
  /** The wait from the end of stdin to the termination signal. */
  readonly end: number;
  /** The wait from the termination signal to the kill. */
  readonly terminate: number;
}

const stderrLines = 20;
const longestStderrLine = 64 * 1024;
/** Time limit for output after the process is gone, in milliseconds: its children may hold it open. */
const drainTime = 200;
/** Time limit for the end of a killed process, and of all it left behind, in milliseconds. */
const longestDeath = 10_000;
/** Time limit for Windows to list the descendants, in milliseconds: PowerShell is slow to begin. */
const longestList = 8_000;
/** The most searches for processes left behind. The pause between two, in milliseconds. */
const looks = { most: 50, pause: 10 };

/**
 * One server process. All that the process starts ends with it. The process has its own process
 * group. We find processes that leave the group by a mark in their environment.
 *
 * For its end, the next files are `stdio/markedProcesses`, `stdio/processOwner` (its reaper works
 * when our own process is killed) and `mcp/life/supervisor`.
 */
export class ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once the process and all that it started are gone. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly owner: ProcessOwner;
  private readonly mark: string;
  /** Resolves once the process itself is gone, or could not be started. */
  private readonly exited: Promise<void>;
  private readonly tail: string[] = [];
  private readonly didWriteStderr = new Emitter<string>();
  private stopping: Promise<ProcessEnd> | undefined;
  private endedByItself = false;
  private force: ServerEnding['force'];
  private leftBehind = 0;
  /** The descendants of the process before its end, on Windows, where no mark can be read. */
  private descendants: Promise<readonly WindowsProcess[]> = Promise.resolve([]);
  private isGone = false;

  /** Each line the process writes to stderr. */
  readonly onDidWriteStderr: Event<string> = this.didWriteStderr.event;

  constructor(start: ProcessStart, owner: ProcessOwner) {
    const { command, args, cwd, env, secrets = [], inputs = [] } = start;
    this.owner = owner;
    this.mark = owner.newMark();
    const isWindows = process.platform === 'win32';
    const found = isWindows
      ? windowsCommand({ command, args, cwd, env })
      : { command: posixCommand({ command, env }), args, isVerbatim: false };
    const child = withStdio(inputs, stdio =>
      spawn(found.command, found.args, {
        cwd,
        env: { ...env, [startedBy]: this.mark },
        stdio,
        detached: !isWindows,
        ...(!isWindows && { argv0: command }),
        windowsHide: true,
        windowsVerbatimArguments: found.isVerbatim,
      }),
    );
    if (!child.stdin) {
      // With too many open files, Node makes no pipes, and emits the error after the throw below.
      child.once('error', () => {});
      throw Object.assign(new Error('There are too many open files.'), { code: 'EMFILE' });
    }
    // With more than three descriptors, Node's types no longer say that the pipes are there.
    this.child = child as ChildProcessWithoutNullStreams;
    this.exited = new Promise(resolve => {
      this.child.once('exit', () => resolve());
      this.child.once('error', () => {
        if (this.pid === undefined) {
          resolve();
        }
      });
    });
    this.ended = this.watchEnd(start);
    if (this.pid !== undefined) {
      owner.watch(this.pid);
    }
    this.drainStderr(secrets);
    // A write to a process that is gone fails. An unhandled error would end our process.
    this.child.stdin.on('error', () => {});
    giveInputs(child.stdio, inputs);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether the process ended before `stop` was called, or could not start. */
  get hasEndedByItself(): boolean {
    return this.endedByItself;
  }

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /** How the process ended, if not normally. `undefined`: it ended normally, or still runs. */
  get ending(): ServerEnding | undefined {
    const { force, leftBehind } = this;
    return force || leftBehind > 0 ? { force, leftBehind } : undefined;
  }

  get lastLines(): readonly string[] {
    return [...this.tail];
  }

  /**
   * Ends the process and all it started: end of stdin, termination signal, kill. Further calls join
   * the first. (Model Context Protocol 2025-11-25, basic/lifecycle, Shutdown, stdio.)
   */
  stop(grace: Grace): Promise<ProcessEnd> {
    this.stopping ??= this.stopInSteps(grace);
    return this.stopping;
  }

  /** Whether the process is gone within the given milliseconds. */
  async endsWithin(milliseconds: number): Promise<boolean> {
    return !(await isLate(this.exited, milliseconds));
  }

  /** Kills the process and all it started at once, without waiting, when our process is about to end. */
  kill(): void {
    const { pid } = this;
    if (this.isGone || pid === undefined) {
      return;
    }
    if (process.platform === 'win32') {
      // `killTreeNow` waits for `taskkill`, which would otherwise end with our process.
      killTreeNow(pid);
      this.child.kill('SIGKILL');
      return;
    }
    killGroup(this.child);
    for (let look = 0; look < looks.most; look += 1) {
      const left = markedProcesses(this.mark);
      if (left.length === 0) {
        return;
      }
      killGroupsOf(left);
    }
  }

  private async stopInSteps({ end: patience, terminate }: Grace): Promise<ProcessEnd> {
    const { pid } = this;
    if (process.platform === 'win32' && pid !== undefined && !this.isGone) {
      // After the end of the process, nobody knows which processes it started.
      this.descendants = descendantsOnWindows(pid);
      await within(this.descendants, longestList, []);
    }
    this.child.stdin.end();
    if (!(await this.endsWithin(patience))) {
      this.force = 'terminate';
      const groups = (await this.owner.look(this.mark)).map(({ group }) => group);
      terminateTree(this.child, groups);
      if (!(await this.endsWithin(terminate))) {
        this.force = 'kill';
        await this.killTree();
      }
    }
    // No system needs longer to end a killed process. If one does, nobody should wait for that.
    const end = { code: null, signal: 'SIGKILL', stderr: this.lastLines } as const;
    return within(this.ended, longestDeath, end);
  }

  /** Kills the process and its descendants: as a group, or on Windows by taskkill and a signal. */
  private async killTree(): Promise<void> {
    const { pid, child } = this;
    if (process.platform === 'win32' && pid !== undefined && !this.isGone) {
      await killTreeOnWindows(pid);
      child.kill('SIGKILL');
    } else {
      killGroup(child);
    }
  }

  private watchEnd(start: ProcessStart): Promise<ProcessEnd> {
    const { child, tail } = this;
    return new Promise(resolve => {
      const finish = (end: Omit<ProcessEnd, 'stderr'>) => {
        this.isGone = true;
        resolve({ ...end, stderr: [...tail] });
      };
      child.once('error', error => {
        if (child.pid === undefined) {
          this.endedByItself = true;
          finish({ code: null, signal: null, error: startError(error, start) });
        }
      });
      child.once('exit', (code, signal) => {
        this.endedByItself = !this.stopping;
        void Promise.all([this.drained(), this.killLeft()]).then(async () => {
          // If it can't be removed, the system clears it away with its other temporary files.
          await (start.temporary && removeFolder(start.temporary).catch(() => {}));
          finish({ code, signal });
        });
      });
    });
  }

  /** Waits for the last output of a process that is gone. Another process may hold the output open. */
  private drained(): Promise<void> {
    return new Promise(resolve => {
      // Waits one more turn of the event loop, so that output that has arrived is read first.
      const timer = setTimeout(() => setImmediate(resolve), drainTime);
      this.child.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /**
   * Kills the processes that this one left behind, and waits until they are gone. A process that is
   * forking or executing shows no mark, so two looks must find nothing. A killed process shows no
   * mark either, long before its files and ports are free.
   */
  private async killLeft(): Promise<void> {
    const { child, owner, mark } = this;
    const first = await owner.look(mark);
    // After a signal to the whole group, processes end in any order, so none counts as left behind.
    this.leftBehind = this.force ? 0 : first.length;
    killGroup(child);
    await killOnWindows(await this.descendants);
    killGroupsOf(first);
    let ending = first;
    for (let look = 1; process.platform !== 'win32' && look < looks.most; look += 1) {
      const wasClear = ending.length === 0;
      await pause(looks.pause);
      const found = await owner.look(mark);
      killGroupsOf(found);
      ending = [...ending, ...found].filter(({ pid }) => !hasEnded(pid));
      if (wasClear && ending.length === 0) {
        break;
      }
    }
    owner.forget(Number(child.pid));
  }

  /** Always reads stderr: a server that blocks on a full stderr pipe answers nothing any more. */
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

function killGroupsOf(left: readonly MarkedProcess[]): void {
  signalGroups(
    left.map(({ group }) => group),
    'SIGKILL',
  );
}

/** Asks a detached child's process group and these groups to end. Does nothing on Windows. */
function terminateTree(child: ChildProcess, groups: readonly number[]): void {
  if (process.platform !== 'win32') {
    signalGroups([child.pid, ...groups], 'SIGTERM');
  }
}

/** Kills a detached child's process group, if it still exists. Does nothing on Windows. */
function killGroup(child: ChildProcess): void {
  if (process.platform !== 'win32') {
    signalGroups([child.pid], 'SIGKILL');
  }
}

/** Sends each process group a signal, once. Skips groups that are gone. */
function signalGroups(groups: readonly (number | undefined)[], signal: NodeJS.Signals): void {
  for (const group of new Set(groups)) {
    if (group !== undefined) {
      signalGroup(group, signal);
    }
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // The group is gone, or all its processes run as another user, as a program with the
    // set-user-ID bit does. macOS says EPERM when only zombies are left.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}
