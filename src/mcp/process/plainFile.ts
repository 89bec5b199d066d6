import { constants, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { codeOf } from '../../base/messageOf.ts';
import { HumanError, type Sentence, sentence } from '../../domain/sentence.ts';

/** The text of a file, or why it was not read and what helps, in finished sentences. */
export type PlainFile =
  | {
      /** The text. `undefined`: the file does not exist. */
      readonly text: string | undefined;
      /** The file's path with every link resolved. */
      readonly place: string;
      readonly problem?: undefined;
    }
  | { readonly problem: Sentence; readonly text?: undefined };

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/**
 * Reads a file that may come from a repository. Opens no device, pipe or socket. Reads at most one
 * byte more than the limit, because a generated file (`/proc`) reports no size. Never rejects.
 *
 * @param workspace folders with contents of a repository. A link in them may lead only to one of
 * them. Elsewhere, links are followed.
 * @param most the limit, in MiB.
 */
export async function readPlainFile(
  path: string,
  workspace: readonly string[],
  most = 1,
): Promise<PlainFile> {
  try {
    const place = await placeOf(path);
    await assertWithin(path, place, workspace);
    const bytes = await firstBytesOf(place, most * 1024 * 1024 + 1);
    if (bytes && bytes.length > most * 1024 * 1024) {
      throw new HumanError('The file is larger than {0} MiB. Make it smaller.', `${most}`);
    }
    // Keeps a byte order mark, because a person agrees to the exact text.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: bytes && decoder.decode(bytes), place };
  } catch (error) {
    return { problem: error instanceof HumanError ? error.sentence : problemOf(codeOf(error)) };
  }
}

const notUtf8 = 'The file is not UTF-8 text. Save it as UTF-8.';

function problemOf(code = ''): Sentence {
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    ? sentence(notUtf8)
    : sentence("The file can't be read ({0}). Check its path and permissions.", code);
}

/**
 * Reads the first `most` bytes of a regular file. `undefined`: nothing is at the path.
 *
 * @param place the file's path with every link resolved.
 * @throws for anything but a regular file, without opening it, and for a file that can't be read.
 */
export async function firstBytesOf(place: string, most: number): Promise<Buffer | undefined> {
  const named = await lstat(place).catch(unlessMissing);
  // Opening a device may make it act.
  const file = named?.isFile() ? await open(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) : undefined;
  try {
    if (named && !(await file?.stat())?.isFile()) {
      throw new HumanError('The path must be a regular file. Put a regular file there.');
    }
    return file && (await buffer(file.createReadStream({ end: most - 1, autoClose: false })));
  } finally {
    await file?.close();
  }
}

/** The path with every link resolved, even where nothing exists yet. */
async function placeOf(path: string): Promise<string> {
  const real = await realpath(path).catch(unlessMissing);
  if (real !== undefined || dirname(path) === path) {
    return real ?? path;
  }
  const folder = await placeOf(dirname(path));
  const target = await readlink(path).catch(() => undefined); // The path is usually not a link.
  return target === undefined ? join(folder, basename(path)) : placeOf(resolve(folder, target));
}

/** Throws for a link out of the workspace. Asks the workspace's disk only about paths in it. */
async function assertWithin(path: string, place: string, workspace: readonly string[]) {
  const isOfWorkspace = isIn(path, workspace) || isIn(await placeOf(dirname(path)), workspace);
  if (isOfWorkspace && !isIn(place, await Promise.all(workspace.map(placeOf)))) {
    throw new HumanError('The path is a link out of the workspace. Replace the link by a file.');
  }
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
