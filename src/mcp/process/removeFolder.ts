import { constants } from 'node:fs';
import { open, readdir, rmdir, unlink } from 'node:fs/promises';

/**
 * Removes a folder that a running server may change meanwhile. Works only on Linux. The server must
 * not be able to change the parent folder. Each step opens a folder, and goes to a name in it. So a
 * link that the server puts in the place of a folder is removed, and never followed.
 */
export async function removeFolder(path: string): Promise<void> {
  const { O_DIRECTORY, O_NOFOLLOW } = constants;
  const folder = await open(path, O_DIRECTORY | O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTDIR' && error.code !== 'ELOOP') {
        throw error;
      }
    },
  );
  if (!folder) {
    return unlink(path);
  }
  try {
    const itself = `/proc/self/fd/${folder.fd}`;
    for (const name of await readdir(itself)) {
      await removeFolder(`${itself}/${name}`);
    }
  } finally {
    await folder.close();
  }
  await rmdir(path);
}
