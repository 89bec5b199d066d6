import { constants, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { codeOf } from '../base/messageOf.ts';
import { HumanError, type Sentence, sentence } from '../domain/sentence.ts';

/** A file as it was read: its text, or why it is not read and what helps, in sentences on "it". */
export type PlainFile =
  | {
      /** `undefined`: there is no such file. */
      readonly text: string | undefined;
      /** Its path with every link resolved. */
      readonly place: string;
      readonly problem?: undefined;
    }
  | { readonly problem: Sentence; readonly text?: undefined };

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/**
 * Reads a file that a repository may bring. No device, pipe or socket is opened, and at most a byte more
 * than the limit is read: the system tells no size of a file that it makes up (`/proc`). Never rejects.
 *
 * @param workspace the folders with what a repository brings: no link in them may lead out of them all.
 * Elsewhere, links are followed.
 * @param most the limit, in MiB.
 */
export async function readPlainFile(
  path: string,
  workspace: readonly string[],
  most = 1,
): Promise<PlainFile> {
  try {
    const place = await placeOf(path);
    if (await leadsOut(path, place, workspace)) {
      throw new HumanError('It leads out of the workspace by a link. Put a file in its place.');
    }
    const bytes = await firstBytesOf(place, most * 1024 * 1024 + 1);
    if (bytes && bytes.length > most * 1024 * 1024) {
      throw new HumanError('It is larger than {0} MiB. Make it smaller.', `${most}`);
    }
    // A byte order mark stays: it is part of what a person agrees to.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: bytes && decoder.decode(bytes), place };
  } catch (error) {
    return { problem: error instanceof HumanError ? error.sentence : problemOf(codeOf(error)) };
  }
}

function problemOf(code = ''): Sentence {
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    ? sentence('It is not UTF-8 text. Save it as UTF-8.')
    : sentence('It can not be read ({0}). Check what it is and who may read it.', code);
}

/**
 * So many bytes from the start of a regular file at most; `undefined`: there is no such file.
 *
 * @param place its path with every link resolved.
 * @throws for anything else, which is not opened, and for a file that can't be read.
 */
export async function firstBytesOf(place: string, most: number): Promise<Buffer | undefined> {
  const named = await lstat(place).catch(unlessMissing);
  // A device may act when it is opened.
  const file = named?.isFile() ? await open(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) : undefined;
  try {
    if (named && !(await file?.stat())?.isFile()) {
      throw new HumanError('It is not a regular file. Put one in its place.');
    }
    return file && (await buffer(file.createReadStream({ end: most - 1, autoClose: false })));
  } finally {
    await file?.close();
  }
}

/** The path with every link resolved, also where nothing is there yet. */
async function placeOf(path: string): Promise<string> {
  const real = await realpath(path).catch(unlessMissing);
  if (real !== undefined || dirname(path) === path) {
    return real ?? path;
  }
  const folder = await placeOf(dirname(path));
  const target = await readlink(path).catch(() => undefined); // It is no link, as a rule.
  return target === undefined ? join(folder, basename(path)) : placeOf(resolve(folder, target));
}

/** A file elsewhere is read though the disk of a workspace does not answer: that is not looked at then. */
async function leadsOut(path: string, place: string, workspace: readonly string[]) {
  const isOfWorkspace = isIn(path, workspace) || isIn(await placeOf(dirname(path)), workspace);
  return isOfWorkspace && !isIn(place, await Promise.all(workspace.map(placeOf)));
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders
    .map(folder => relative(folder, path))
    .some(way => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
    throw error;
  }
  return undefined;
}
