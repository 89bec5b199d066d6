import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { DiskState } from '../../domain/folders.ts';

/** Looks at what is on disk where a folder should be. Never rejects: an unknown trouble is `unreadable`. */
export async function diskState(path: string): Promise<DiskState> {
  try {
    if (!(await stat(path)).isDirectory()) {
      return 'not-a-directory';
    }
    await access(path, constants.R_OK | constants.X_OK);
    return 'directory';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
}
