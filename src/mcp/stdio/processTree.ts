import { type ChildProcess, spawnSync } from 'node:child_process';

/** Asks a detached child, and everything in its process group and in these, to end. Windows has no such request. */
export function terminateTree(child: ChildProcess, groups: readonly number[]): void {
  if (process.platform !== 'win32') {
    signalGroups([child.pid, ...groups], 'SIGTERM');
  }
}

/** Kills a detached child and everything in its process group; nothing there is no error. */
export function killTree(child: ChildProcess): void {
  if (process.platform !== 'win32') {
    signalGroups([child.pid], 'SIGKILL');
  } else if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'], { windowsHide: true });
  }
}

/** Sends everything in each of the process groups a signal, once. Those that are gone are passed over. */
export function signalGroups(
  groups: readonly (number | undefined)[],
  signal: NodeJS.Signals,
): void {
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
    // No such group: all of it is gone already, or has become somebody else's, as a program of the
    // administrator does. macOS says EPERM when only zombies are left.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}
