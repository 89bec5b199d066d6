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
import { firstBytesOf } from '../process/plainFile.ts';

/** Limits of the search through one folder. */
interface LookLimits {
  /** Time limit of the search, in milliseconds. */
  readonly time: number;
  readonly folders: number;
  /** Each protected path takes a mount. So does each folder above it, because it could be moved. */
  readonly mounts: number;
}

/**
 * A person waits for the start, and a search through 100,000 files takes a second. One mount may
 * need 17 options, and bubblewrap accepts 9,000 in all.
 */
const defaultLimits: LookLimits = { time: 5_000, folders: 200_000, mounts: 400 };

/** Paths that a server may only read, in folders that it may change. */
interface KeptPlaces {
  readonly places: readonly string[];
  /** Folders that were not searched to the end. The caller must make them read-only as a whole. */
  readonly tooLarge: readonly string[];
}

/**
 * Finds what other programs run unasked, such as Git hooks, in folders that a server may change, at
 * any depth. A missing file can't be protected, because a mount needs an existing file.
 *
 * @param named paths that the caller shows in its own way. The search skips these paths.
 * @throws {HumanError} for a protected path with a link that the server could replace.
 */
export async function keptPlaces(
  folders: readonly string[],
  named: readonly string[],
  limits = defaultLimits,
): Promise<KeptPlaces> {
  const { places, tooLarge } = await lookThrough(folders, new Set(named), limits);
  const repositories = places.map(one => (basename(one) === '.git' ? dirname(one) : one));
  const user = { home: homedir(), env: process.env };
  // The repository of one folder may have hooks in another.
  const ofGit = await looked(gitPlaces([...folders, ...repositories], user));
  const all = [...places, ...ofGit.filter(place => !named.includes(place))];
  const changed = folders.filter(folder => !tooLarge.includes(folder));
  const kept = await Promise.all(all.map(place => keptAt(place, changed)));
  return { places: [...new Set(kept.flat())], tooLarge };
}

/** Searches each folder on its own. A folder that would exceed the limit of mounts is too large. */
async function lookThrough(
  tops: readonly string[],
  passed: ReadonlySet<string>,
  limits: LookLimits,
): Promise<KeptPlaces> {
  const lookAt = (top: string) =>
    within(lookThroughOne(top, passed, limits), limits.time, undefined);
  const [places, tooLarge]: [string[], string[]] = [[], []];
  let mounted = new Set<string>();
  for (const [index, found] of (await Promise.all(tops.map(lookAt))).entries()) {
    const mounts = (found ?? []).flatMap(place => [place, ...foldersAbove(place)]);
    const all = new Set([...mounted, ...mounts]);
    if (found && all.size <= limits.mounts) {
      mounted = all;
      places.push(...found);
    } else {
      tooLarge.push(...tops.slice(index, index + 1));
    }
  }
  return { places, tooLarge };
}

/** The paths to protect in a folder. `undefined`: it is unreadable, or a limit ended the search. */
async function lookThroughOne(
  top: string,
  passed: ReadonlySet<string>,
  { time, folders, mounts }: LookLimits,
): Promise<string[] | undefined> {
  const places: string[] = [];
  // If a person lets a server change a `.git` folder, this means everything in it.
  const queue = top.split('/').includes('.git') ? [] : [top];
  const slice = new TimeSlice(new AbortController().signal, { limit: time });
  for (const folder of queue) {
    const found = await lookInto(folder, folder === top, passed, slice);
    if (!found || slice.isOver || queue.length > folders || places.length > mounts) {
      return undefined;
    }
    for (const one of found.folders) {
      queue.push(one);
    }
    for (const place of found.places) {
      places.push(place);
    }
  }
  return places;
}

/** The paths to protect in a folder, or the folder itself, and the subfolders to search next. */
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
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) {
      return { places, folders };
    }
    // The server may own the folder and could make it readable. So it is protected as a whole.
    return isTop ? undefined : { places: [folder], folders };
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

/** Whether a folder with these entries is a Git folder, under any name. Git looks for the same. */
function isGitFolder(names: ReadonlySet<string>): boolean {
  const isWhole = names.has('objects') && names.has('refs');
  return names.has('HEAD') && (isWhole || names.has('commondir'));
}

/**
 * The paths to protect so that `place` stays as it is: `place`, or if it is a link, its folder and
 * target. Empty: `place` is missing or in no folder. Throws for a link that can't be protected.
 */
async function keptAt(place: string, folders: readonly string[]): Promise<string[]> {
  const folder = folders.find(one => isAtOrBelow(place, one));
  const found = folder && (await lstat(place).catch(() => undefined));
  if (!folder || !found) {
    return [];
  }
  const [real, holder] = [await realpath(place).catch(() => undefined), dirname(place)];
  if (real === place) {
    return [place];
  }
  const isDeep = found.isSymbolicLink() && !folders.includes(holder);
  if (isDeep && (await realpath(holder)) === holder) {
    const targets = real === undefined ? [] : [resolve(holder, await readlink(place)), real];
    return [holder, ...(await Promise.all(targets.map(one => keptAt(one, folders)))).flat()];
  }
  throw new HumanError(
    'The path {0} contains a link, which the server could replace. Make {1} read only, or put a folder in place of the link.',
    place,
    folder,
  );
}

async function looked<T>(looking: Looking<T>): Promise<T> {
  let step = looking.next([]);
  while (!step.done) {
    // What we can't read, Git can't read either.
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

/** The most bytes of a Git settings file that are searched. */
const longestSettings = 1024 * 1024;
