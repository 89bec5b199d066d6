import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import type { DiskLook, DiskState } from '../../domain/folders/folders.ts';

/** The file calls a look is made of. */
export interface Disk {
  readonly stat: (path: string) => Promise<{ dev: bigint; ino: bigint; isDirectory(): boolean }>;
  readonly realpath: (path: string) => Promise<string>;
  /** Rejects when the folder can't be listed and entered. */
  readonly enter: (path: string) => Promise<void>;
}

const realDisk: Disk = {
  stat: path => stat(path, { bigint: true }),
  realpath: path => realpath(path),
  enter: path => access(path, constants.R_OK | constants.X_OK),
};

/**
 * Looks at what is on disk where a folder should be: at the folder itself, not at what is in it.
 * Never rejects: an unknown trouble is `unreadable`.
 */
export async function lookAt(path: string, disk: Disk = realDisk): Promise<DiskLook> {
  let known = nothing;
  try {
    const found = await disk.stat(path);
    // Where a file system has no inodes, all of its folders would be one.
    const place = found.ino === 0n ? undefined : `${found.dev}:${found.ino}`;
    known = { realPath: await disk.realpath(path), place };
    if (!found.isDirectory()) {
      return { disk: 'not-a-directory', ...known };
    }
    await disk.enter(path);
    return { disk: 'directory', ...known };
  } catch (error) {
    const state = stateAfter(error);
    // It may have gone in the middle of the look.
    return { disk: state, ...(state === 'missing' ? nothing : known) };
  }
}

const nothing: Omit<DiskLook, 'disk'> = { realPath: undefined, place: undefined };

/** The same, in one word. */
export async function diskState(path: string): Promise<DiskState> {
  return (await lookAt(path)).disk;
}

function stateAfter(error: unknown): DiskState {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}
