import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { type DatedIdentity, placeOf } from '../../base/fileIdentity.ts';
import type { DiskLook, DiskState } from '../../domain/folders/folders.ts';

/** The file calls that {@link lookAt} makes. */
export interface FolderDisk {
  readonly stat: (path: string) => Promise<DatedIdentity & { isDirectory(): boolean }>;
  readonly realpath: (path: string) => Promise<string>;
  /** Rejects when the folder can't be listed and entered. */
  readonly enter: (path: string) => Promise<void>;
}

const realDisk: FolderDisk = {
  stat: path => stat(path, { bigint: true }),
  realpath: path => realpath(path),
  enter: path => access(path, constants.R_OK | constants.X_OK),
};

/**
 * Looks at the folder on disk, but not at its contents. Never rejects: an unknown error gives
 * `unreadable`.
 */
export async function lookAt(path: string, disk: FolderDisk = realDisk): Promise<DiskLook> {
  let known = nothing;
  try {
    const found = await disk.stat(path);
    // Without inodes, all folders of a file system would look like the same folder.
    const place = found.ino === 0n ? undefined : placeOf(found);
    known = { realPath: await disk.realpath(path), place };
    if (!found.isDirectory()) {
      return { disk: 'not-a-directory', ...known };
    }
    await disk.enter(path);
    return { disk: 'directory', ...known };
  } catch (error) {
    const state = stateAfter(error);
    // The folder may have disappeared while we looked.
    return { disk: state, ...(state === 'missing' ? nothing : known) };
  }
}

const nothing: Omit<DiskLook, 'disk'> = { realPath: undefined, place: undefined };

function stateAfter(error: unknown): DiskState {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}
