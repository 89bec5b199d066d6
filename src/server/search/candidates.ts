import { isLate } from '../../base/isLate.ts';
import type { Pace } from './pace.ts';
import type { Place, Territory } from './territory.ts';
import { type FolderFiles, type Tally, walk } from './walk.ts';

/** Paths of files, each as the names that lead to it from the searched folder. */
export type NamedPaths = readonly (readonly string[])[];

interface Progress {
  readonly pace: Pace;
  readonly tally: Tally;
}

/** In milliseconds: most searches of ripgrep take less. */
const headStart = 2000;

/**
 * The files of a territory to look into: those that are named, in the order of a walk. While it is
 * not known for long which these are, or not at all, those of a walk: what names files opens them by
 * their paths, and waits without end for one that has become a pipe.
 *
 * @throws what the promise does, unless it was late by then.
 */
export async function* candidates(
  territory: Territory,
  naming: Promise<NamedPaths | undefined>,
  progress: Progress,
): AsyncGenerator<FolderFiles> {
  let named: NamedPaths | undefined;
  const known = naming.then(paths => {
    named = paths;
  });
  if (!(await isLate(known, headStart))) {
    await known;
  }
  known.catch(() => {}); // Who is late and fails is not needed: the walk goes on.
  const walked = new Set<string>();
  if (!named) {
    for await (const files of walk(territory, progress.pace, progress.tally)) {
      yield files;
      walked.add(files.folder.join('/'));
      if (named) {
        break;
      }
    }
  }
  const { folder } = territory.wanted;
  const isOpen = (names: readonly string[]) =>
    !walked.has([...folder, ...names.slice(0, -1)].join('/'));
  yield* inTerritory(territory, (named ?? []).filter(isOpen), progress);
}

/**
 * Those of the paths (names from the searched folder on) that a walk of the territory would come
 * to, in the order in which it would.
 */
async function* inTerritory(
  territory: Territory,
  paths: NamedPaths,
  { pace, tally }: Progress,
): AsyncGenerator<FolderFiles> {
  const places = new Places(territory, tally);
  for (const { folder, files } of byFolder(paths)) {
    const place = places.at(folder);
    if (place) {
      const isWanted = (name: string) => territory.wantsFile([...place.names, name], place.rules);
      tally.files += files.length;
      yield { folder: place.names, files: files.filter(isWanted) };
    }
    if (pace.isSpent) {
      await pace.pause();
    }
  }
}

/** The folders of a territory, found one by one instead of by walking through all of it. */
class Places {
  private readonly territory: Territory;
  private readonly tally: Tally;
  private readonly known = new Map<string, Place | undefined>();

  constructor(territory: Territory, tally: Tally) {
    this.territory = territory;
    this.tally = tally;
  }

  /** The folder, if it and all above it are wanted and can be read. */
  at(folder: readonly string[]): Place | undefined {
    const key = folder.join('/');
    if (!this.known.has(key)) {
      this.known.set(key, this.enter(folder));
    }
    return this.known.get(key);
  }

  private enter(folder: readonly string[]): Place | undefined {
    const { territory, tally } = this;
    const above = folder.length === 0 ? territory.start() : this.at(folder.slice(0, -1));
    const names = [...territory.wanted.folder, ...folder];
    const isWanted = folder.length === 0 || territory.wantsFolder(names, above?.rules);
    if (!above || !isWanted) {
      return undefined;
    }
    const marks = territory.tree.marksOf(names);
    tally.unreadable += marks ? 0 : 1;
    return marks && territory.inside({ names, rules: above.rules }, marks);
  }
}

function byFolder(paths: NamedPaths) {
  const keyed = paths.map(names => ({ names, key: keyOf(names) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const folders: { readonly folder: readonly string[]; readonly files: string[] }[] = [];
  for (const { names } of keyed) {
    const folder = names.slice(0, -1);
    const last = folders.at(-1);
    const file = names.at(-1) ?? '';
    if (last?.folder.join('/') === folder.join('/')) {
      last.files.push(file);
    } else {
      folders.push({ folder, files: [file] });
    }
  }
  return folders;
}

/** Sorts as a walk goes: in each folder its files first. No name holds a NUL. */
function keyOf(names: readonly string[]): string {
  return names.map((name, at) => (at < names.length - 1 ? `1${name}` : `0${name}`)).join('\0');
}
