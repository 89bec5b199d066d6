import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { startedBy } from '../../../domain/servers/startedBy.ts';

/** A process with a mark in its environment, which says what started the process. */
export interface MarkedProcess {
  readonly pid: number;
  readonly group: number;
  readonly mark: string;
}

/**
 * Returns all processes with a mark of this beginning. A process is missing while it forks or
 * executes, after it has emptied its environment, or if we may not read it. None on Windows.
 */
export function markedProcesses(beginning: string): readonly MarkedProcess[] {
  const all = { linux: listedByLinux, win32: () => [] }[process.platform as string] ?? listedByPs;
  return all(`${startedBy}=${beginning}`).filter(({ group }) => group > 1);
}

/** Whether a process has ended. It may still wait for its parent to notice the end. */
export function hasEnded(pid: number): boolean {
  if (process.platform === 'linux') {
    return /^[ZX]?$/.test(statusOf(pid)[0] ?? '');
  }
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

function listedByLinux(sought: string): MarkedProcess[] {
  const names = attempt(() => readdirSync('/proc')) ?? [];
  const pids = names.filter(name => /^\d+$/.test(name)).map(Number);
  return pids.flatMap(pid => {
    const mark = markIn(
      attempt(() => readFileSync(`/proc/${pid}/environ`)),
      sought,
    );
    const group = mark && statusOf(pid)[2];
    return group ? [{ pid, group: Number(group), mark }] : [];
  });
}

/** State, parent, group and more of a process; empty for a process that is gone. */
function statusOf(pid: number): readonly string[] {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The fields follow the name in parentheses, which may itself contain parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function listedByPs(sought: string): MarkedProcess[] {
  const { stdout } = spawnSync('/bin/ps', ['-axEww', '-o', 'pid=,pgid=,command='], {
    maxBuffer: 256 * 1024 * 1024,
    timeout: 5000,
  });
  return String(stdout ?? '')
    .split('\n')
    .flatMap(line => {
      const [, pid, group, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
      const mark = markIn(Buffer.from(command), sought);
      return mark ? [{ pid: Number(pid), group: Number(group), mark }] : [];
    });
}

/** The whole mark with the given beginning, if the environment has it. */
function markIn(environment: Buffer | undefined, sought: string): string | undefined {
  const at = environment?.indexOf(sought) ?? -1;
  if (!environment || at < 0) {
    return undefined;
  }
  const start = at + startedBy.length + 1;
  return /^[\w.-]*/.exec(environment.toString('latin1', start, start + longestMark))?.[0];
}

/** The most bytes of a mark: more than the name of a starter and two UUIDs. */
const longestMark = 128;

/** The result of `read`. `undefined`: the process is gone, or belongs to another user. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
