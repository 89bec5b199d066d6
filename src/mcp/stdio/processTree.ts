import { type ChildProcess, spawnSync } from 'node:child_process';

/** Asks a detached child and everything in its process group to end. Windows has no such request. */
export function terminateTree(child: ChildProcess): void {
  if (process.platform !== 'win32') {
    signalGroup(child, 'SIGTERM');
  }
}

/** Kills a detached child and everything in its process group; nothing there is no error. */
export function killTree(child: ChildProcess): void {
  if (process.platform !== 'win32') {
    signalGroup(child, 'SIGKILL');
  } else if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'], { windowsHide: true });
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // No such group: all of it is gone already. macOS says EPERM when only zombies are left.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}
