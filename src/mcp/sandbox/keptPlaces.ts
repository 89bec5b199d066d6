import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../base/messageOf.ts';
import { within } from '../../base/timeLimit.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import { type GitLook, gitPlaces, type Looking } from '../../domain/paths/gitPlaces.ts';
import { isProtectedName } from '../../domain/paths/protectedPath.ts';
import { foldersAbove, isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError } from '../../domain/sentence.ts';
import { firstBytesOf } from '../plainFile.ts';

/** Limits of a look through folders. */
interface LookLimits {
  /** In milliseconds. */
  readonly time: number;
  readonly folders: number;
  /** Each place takes one, and so does each folder that holds one, so that it can't be moved. */
  readonly mounts: number;
}

/**
 * Somebody waits for the start: 100,000 files take a second. Bubblewrap takes 9,000 options, and it may
 * take 17 of them to mount something within a mount.
 */
const defaultLimits: LookLimits = { time: 5_000, folders: 200_000, mounts: 400 };

/** The places in writable folders that a server must only read. */
interface KeptPlaces {
  readonly places: readonly string[];
  /** Whether a limit ended the look, so that others may be left. */
  readonly isPartial: boolean;
}

/**
 * Finds what other programs run by themselves in folders that a server may change, at any depth. What is
 * missing can't be protected without making it.
 *
 * @param named paths with terms of their own: only where they are among the folders, they are looked into.
 * @throws {HumanError} for a link, in whose place the server could put what it likes.
 */
export async function keptPlaces(
  folders: readonly string[],
  named: readonly string[],
  limits = defaultLimits,
): Promise<KeptPlaces> {
  const { places, isPartial } = await lookThrough(folders, named, limits);
  const repositories = places.map(one => (basename(one) === '.git' ? dirname(one) : one));
  const user = { home: homedir(), env: process.env };
  // The repository of one folder may have hooks in another.
  const ofGit = await looked(gitPlaces([...folders, ...repositories], user));
  const all = [...places, ...ofGit.filter(place => !named.includes(place))];
  const kept = await Promise.all(
    [...new Set(all)].map(async place => {
      const folder = folders.find(one => isAtOrBelow(place, one));
      return folder !== undefined && (await isKept(place, folder)) ? [place] : [];
    }),
  );
  return { places: kept.flat(), isPartial };
}

/** The outermost folders come first: where a limit ends the look, these are kept. */
async function lookThrough(
  tops: readonly string[],
  named: readonly string[],
  { time, folders, mounts }: LookLimits,
): Promise<KeptPlaces> {
  const places: string[] = [];
  const mounted = new Set<string>();
  // Whoever lets a server change such a folder, means all that is in it.
  const queue = tops.filter(top => !top.split('/').includes('.git'));
  const passed = new Set(named);
  const slice = new TimeSlice(new AbortController().signal, { limit: time });
  let isLate = false;
  const lookAtAll = async () => {
    for (const folder of queue) {
      const found = await lookInto(folder, tops.includes(folder), passed, slice);
      if (isLate || slice.isOver || !found || queue.length > folders) {
        return false;
      }
      for (const one of found.folders) {
        queue.push(one);
      }
      for (const place of found.places) {
        for (const path of [place, ...foldersAbove(place)]) {
          mounted.add(path);
        }
        if (mounted.size > mounts) {
          return false;
        }
        places.push(place);
      }
    }
    return true;
  };
  // A disk may not answer.
  const isWhole = await within(lookAtAll(), time, false);
  isLate = true;
  return { places, isPartial: !isWhole };
}

/** The places in a folder, which may be itself, and its other folders; `undefined`: it can't be read. */
async function lookInto(
  folder: string,
  isTop: boolean,
  passed: ReadonlySet<string>,
  slice: TimeSlice,
): Promise<{ readonly places: string[]; readonly folders: string[] } | undefined> {
  const [places, folders]: [string[], string[]] = [[], []];
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const isGone = ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
    // Its owner could open it. What can't be looked into is kept as a whole.
    return isTop ? undefined : { places: isGone ? [] : [folder], folders };
  }
  if (!isTop && isGitFolder(new Set(entries.map(({ name }) => name)))) {
    return { places: [folder], folders };
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isProtectedName(entry.name, isTop ? '' : basename(folder))) {
      places.push(path);
    } else if (entry.isDirectory() && entry.name !== 'node_modules') {
      folders.push(path);
    }
    await slice.next();
  }
  const isNew = (path: string) => !passed.has(path);
  return { places: places.filter(isNew), folders: folders.filter(isNew) };
}

/** By what Git itself looks for, under any name. */
function isGitFolder(names: ReadonlySet<string>): boolean {
  const isWhole = names.has('objects') && names.has('refs');
  return names.has('HEAD') && (isWhole || names.has('commondir'));
}

/** Whether something is there to be kept. */
async function isKept(place: string, folder: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  const real = found && (await realpath(place).catch(() => undefined));
  if (found?.isSymbolicLink() || (real !== undefined && real !== place)) {
    throw new HumanError(
      '{0} is reached by a link, which a server that may change {1} could replace. Let it only read that folder, or put a folder in the place of the link.',
      place,
      folder,
    );
  }
  return real !== undefined;
}

async function looked<T>(looking: Looking<T>): Promise<T> {
  let step = looking.next([]);
  while (!step.done) {
    // What can't be read says nothing to Git, either.
    step = looking.next(await look(step.value).catch(() => []));
  }
  return step.value;
}

async function look([kind, path]: GitLook): Promise<string[]> {
  if (kind === 'text') {
    const bytes = await firstBytesOf(await realpath(path), longestSettings);
    return bytes ? [bytes.toString()] : [];
  }
  if (kind === 'real') {
    return [await realpath(path)];
  }
  const links = (await readdir(path, { withFileTypes: true })).filter(one => one.isSymbolicLink());
  return Promise.all(
    links.map(async ({ name }) => resolve(path, await readlink(join(path, name)))),
  );
}

/** In bytes. What stands behind them is not looked for. */
const longestSettings = 1024 * 1024;
