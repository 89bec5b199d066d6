import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { HumanError } from '../../domain/sentence.ts';

/**
 * Makes a folder that only our own user can enter, or has one that is there be so. On Windows the
 * profile that it lies in keeps others out.
 *
 * @throws HumanError when there can be none: it is another's, or a link.
 */
export function makePrivateFolder(folder: string): void {
  const user = process.getuid?.();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (user !== undefined && found.uid !== user)) {
      throw new Error('It is a link, or of another user.');
    }
    if (user !== undefined && (found.mode & 0o077) !== 0) {
      chmodSync(folder, 0o700);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HumanError("{0} can't be kept from other users: {1}", folder, reason);
  }
}
