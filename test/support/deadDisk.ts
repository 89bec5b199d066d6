import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';

/**
 * Mounts a disk that never answers: a file system of FUSE whose program reads no request. No call of
 * the system may be made in there by the test itself, which would hang with it.
 *
 * @returns why there is none here; `undefined`: it is mounted, until the end of the test.
 */
export function mountDeadDisk(t: TestContext, at: string): string | undefined {
  if (process.platform !== 'linux') {
    return 'Only Linux mounts a disk of a test’s own.';
  }
  let device: number;
  try {
    device = openSync('/dev/fuse', 'r+');
  } catch (error) {
    return `This machine has no FUSE: ${String(error)}`;
  }
  mkdirSync(at);
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const { status, stderr } = spawnSync('mount', ['-t', 'fuse', '-o', options, 'dead', at], {
    stdio: ['ignore', 'ignore', 'pipe', device],
  });
  if (status !== 0) {
    closeSync(device);
    return `This machine lets nobody mount: ${stderr}`;
  }
  atEnd(t, () => {
    // Ends all calls that wait for it, those of a process that is to end, too.
    closeSync(device);
    spawnSync('umount', ['-l', at]);
  });
  return undefined;
}
