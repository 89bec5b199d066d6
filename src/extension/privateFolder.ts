import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { whileBusy } from '../base/busyFile.ts';
import { messageOf } from '../base/messageOf.ts';
import { HumanError } from '../domain/sentence.ts';

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
    const reason = messageOf(error);
    throw new HumanError("{0} can't be kept from other users: {1}", folder, reason);
  }
}

/** Writes a file for our own user alone, in one step: no reader sees half of one. */
export function replacePrivate(path: string, text: string): void {
  replaceFile(path, text, 0o600);
}

/** Writes a file in one step. Whoever may read it by its mode may read what comes in its place. */
export function replaceFile(path: string, text: string, mode: number): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode });
    whileBusy(() => renameSync(draft, path));
  } catch (error) {
    removeFile(draft);
    throw error;
  }
}

/**
 * Removes a file, if it is there. Not by `rmSync`: on Windows, releases of Node 24 do nothing at a path
 * beyond ASCII, or end the process. (https://github.com/nodejs/node/issues/56049)
 */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}
