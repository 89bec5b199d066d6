import { type IDisposable, toDisposable } from '../../base/disposable.ts';

/**
 * Calls `onGone` once the process that started this one is gone.
 *
 * The end of standard input says so too, but not while another process holds it open. Watching
 * does not keep the process alive.
 */
export function watchParent(onGone: () => void, interval = 1000): IDisposable {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isRunning(parent)) {
      clearInterval(timer);
      onGone();
    }
  }, interval).unref();
  return toDisposable(() => clearInterval(timer));
}

// Windows keeps telling the id of a parent that is gone. Id 0 is a parent outside the container.
function isRunning(id: number): boolean {
  try {
    return id === 0 || process.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
