import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { whileBusy } from '../base/busyFile.ts';
import { messageOf } from '../base/messageOf.ts';
import { HumanError } from '../domain/sentence.ts';

/**
 * Makes a folder that only the current user can enter, or closes an existing folder to other users.
 * On Windows, the user's profile around the folder already does this.
 *
 * @throws HumanError when the folder can't be made, belongs to another user, or is a link.
 */
export function makePrivateFolder(folder: string): void {
  const user = process.getuid?.();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (user !== undefined && found.uid !== user)) {
      throw new Error('The folder is a link, or belongs to another user.');
    }
    if (user !== undefined && (found.mode & 0o077) !== 0) {
      chmodSync(folder, 0o700);
    }
  } catch (error) {
    const reason = messageOf(error);
    throw new HumanError("MCP Roots can't keep other users out of {0}: {1}", folder, reason);
  }
}

/** Writes a file for the current user alone, in one step, so that nobody reads half of it. */
export function replacePrivate(path: string, text: string): void {
  replaceFile(path, text, 0o600);
}

/** Writes a file in one step. The new file has this mode, not the mode of the old file. */
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
 * Removes a file if it exists. Avoids `rmSync`: on Windows, some releases of Node 24 do nothing, or
 * end the process, if a path is not ASCII. (https://github.com/nodejs/node/issues/56049)
 */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    unless('ENOENT')(error as NodeJS.ErrnoException);
  }
}

/** Makes a handler that rethrows errors, but returns `undefined` for an error with this code. */
export function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return error => {
    if (error.code !== code) {
      throw error;
    }
    return undefined;
  };
}
