import { execFile, spawnSync } from 'node:child_process';
import { win32 } from 'node:path';

/** A process of Windows, which has no groups: the number and the creation time identify a process. */
export interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly made: string;
}

/** Time limit for a program of the system, in milliseconds: PowerShell takes one to two seconds. */
const longest = 8000;
/** The time limit while our own process is about to end, in milliseconds. */
const longestNow = 2000;

/**
 * The whole path of a program of Windows. By name, Windows would first search the working
 * directory, which belongs to a repository.
 */
export function systemProgram(...names: readonly string[]): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...names);
}

/** Kills a process and all it started, as far as the system knows. Settles soon; never rejects. */
export async function killTreeOnWindows(pid: number): Promise<void> {
  await said(systemProgram('taskkill.exe'), treeOf(pid));
}

/** Kills a tree before it returns. Call it when our process ends, and its programs with it. */
export function killTreeNow(pid: number): void {
  const options = { timeout: longestNow, killSignal: 'SIGKILL', windowsHide: true } as const;
  spawnSync(systemProgram('taskkill.exe'), treeOf(pid), options);
}

function treeOf(pid: number): string[] {
  return ['/PID', String(pid), '/T', '/F'];
}

/** All descendants of a process; empty if the system does not tell. */
export async function descendantsOnWindows(pid: number): Promise<readonly WindowsProcess[]> {
  return descendantsAmong(await listedOnWindows(), pid);
}

async function listedOnWindows(): Promise<readonly WindowsProcess[]> {
  const command =
    'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }';
  const powershell = systemProgram('WindowsPowerShell', 'v1.0', 'powershell.exe');
  const text = await said(powershell, ['-NoProfile', '-NonInteractive', '-Command', command]);
  return processesIn(text);
}

/** The processes in a listing. Each line has a number, the parent's number and the creation time. */
export function processesIn(text: string): readonly WindowsProcess[] {
  return text.split(/\r?\n/).flatMap((line): WindowsProcess[] => {
    const [, id, parent, made = ''] = /^(\d+) (\d+) (\d+)$/.exec(line.trim()) ?? [];
    return id ? [{ pid: Number(id), parent: Number(parent), made }] : [];
  });
}

/** The descendants of one process, among these processes. */
export function descendantsAmong(
  all: readonly WindowsProcess[],
  pid: number,
): readonly WindowsProcess[] {
  const found: WindowsProcess[] = [];
  for (let parents = all.filter(one => one.pid === pid); parents.length > 0; ) {
    // Windows reuses numbers. So a child that is older than its parent has another parent.
    const children = all.filter(child =>
      parents.some(({ pid, made }) => pid === child.parent && BigInt(made) <= BigInt(child.made)),
    );
    parents = children.filter(child => !found.includes(child) && child.pid !== pid);
    found.push(...parents);
  }
  return found;
}

/** Kills the listed processes that still run. Uses signals of Node, not `taskkill`. */
export async function killOnWindows(processes: readonly WindowsProcess[]): Promise<void> {
  const now = processes.length === 0 ? [] : await listedOnWindows();
  for (const { pid, made } of processes) {
    if (now.some(one => one.pid === pid && one.made === made)) {
      try {
        process.kill(pid);
      } catch {
        // The process has ended, or belongs to another user.
      }
    }
  }
}

/** The output of a program; empty if the program is missing, fails or takes too long. */
function said(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: longest, killSignal: 'SIGKILL', windowsHide: true } as const;
  return new Promise(resolve => {
    try {
      execFile(program, args, options, (error, stdout) => resolve(error ? '' : stdout));
    } catch {
      resolve('');
    }
  });
}
