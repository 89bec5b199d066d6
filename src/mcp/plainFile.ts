import type { Stats } from 'node:fs';
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
      throw new HumanError(
        'It leads out of the workspace by a link. Put a file in place of the link.',
      );
    }
    const bytes = await bytesOf(place, most * 1024 * 1024);
    return { text: bytes && textOf(bytes), place };
  } catch (error) {
    const unreadable = 'It can not be read ({0}). Check what it is and who may read it.';
    return {
      problem:
        error instanceof HumanError ? error.sentence : sentence(unreadable, codeOf(error) ?? ''),
    };
  }
}

async function bytesOf(place: string, most: number): Promise<Buffer | undefined> {
  const named = await lstat(place).catch(unlessMissing);
  if (!named) {
    return undefined;
  }
  assertPlain(named); // A device may act when it is opened.
  const file = await open(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    assertPlain(await file.stat());
    const bytes = await buffer(file.createReadStream({ end: most, autoClose: false }));
    if (bytes.length > most) {
      throw new HumanError('It is larger than {0} MiB. Make it smaller.', `${most / 1024 / 1024}`);
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** A byte order mark stays: it is part of what a person agrees to. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new HumanError('It is not UTF-8 text. Save it as UTF-8.');
  }
}

function assertPlain(stats: Pick<Stats, 'isFile'>): void {
  if (!stats.isFile()) {
    throw new HumanError('It is not a regular file. Put one in its place.');
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

/** Whether the path is one of the workspace, and the place is none. */
async function leadsOut(
  path: string,
  place: string,
  workspace: readonly string[],
): Promise<boolean> {
  const real = await Promise.all(workspace.map(placeOf));
  const isOfWorkspace = [path, await placeOf(dirname(path))].some(one =>
    [...workspace, ...real].some(folder => isIn(one, folder)),
  );
  return isOfWorkspace && !real.some(folder => isIn(place, folder));
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
    throw error;
  }
  return undefined;
}
