import { isLate } from '../../base/timeLimit.ts';
import type { TimeSlice } from '../../base/timeSlice.ts';
import type { FolderContent } from './folderTree.ts';
import type { Place, SearchFilter } from './searchFilter.ts';

/** Files of one folder that a search looks at, sorted. */
export interface FolderFiles {
  /** The names from the root to the folder. */
  readonly folder: readonly string[];
  readonly files: readonly string[];
}

/** What a search goes by on its way, and what it counts there. */
export interface Walk {
  readonly filter: SearchFilter;
  readonly slice: TimeSlice;
  readonly counts: SearchCounts;
}

/** What a search has come across. */
export interface SearchCounts {
  /** How many files it has looked at, by name or inside. */
  files: number;
  /** How many files and folders it may not read, or that changed under its eyes. */
  unreadable: number;
}

/**
 * The files that the filter wants, in an order that is always the same: first the files of a folder
 * by name, then its folders by name, each with all that is in it. Ends early when the time is over.
 */
export async function* walk(search: Walk): AsyncGenerator<FolderFiles> {
  const { filter, slice, counts } = search;
  const ahead = [filter.start()];
  for (let place = ahead.pop(); place && !slice.isOver; place = ahead.pop()) {
    if (slice.isSpent) {
      await slice.pause();
    }
    const content = filter.tree.list(place.names);
    if (!content) {
      counts.unreadable += 1;
      continue;
    }
    const inside = filter.inside(place, content.marks);
    const files = await select(content, inside, search);
    counts.unreadable += content.nameless;
    if (files.files.length > 0) {
      yield { folder: place.names, files: files.files };
    }
    for (const name of files.folders.reverse()) {
      ahead.push({ names: [...place.names, name], rules: inside.rules });
    }
  }
}

/** The entries that are wanted, sorted: the folder may be long. */
async function select(
  content: FolderContent,
  { names, rules }: Place,
  { filter, slice, counts }: Walk,
): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  const path = [...names, ''];
  const only = async (entries: readonly string[], isWanted: () => boolean) => {
    const wanted: string[] = [];
    for (const entry of entries) {
      if (slice.isOver) {
        break;
      }
      path[names.length] = entry;
      if (isWanted()) {
        wanted.push(entry);
      }
      if (slice.isSpent) {
        await slice.pause();
      }
    }
    return wanted.sort();
  };
  const files = await only(content.files, () => {
    counts.files += 1;
    return filter.wantsFile(path, rules);
  });
  const folders = await only(content.folders, () => filter.wantsFolder(path, rules));
  return { files, folders };
}

/** Paths of files, each as the names that lead to it from the searched folder. */
export type NamedPaths = readonly (readonly string[])[];

/** In milliseconds: most searches of ripgrep take less. */
const headStart = 2000;

/**
 * The files to look into: the named ones that the filter wants, in the order of a walk. As long as
 * the names are not known, or when they never are, all files of a walk: the program that names files
 * opens them by their paths, and waits without end for one that has become a pipe.
 *
 * @throws what the promise does, unless it was late by then.
 */
export async function* candidates(
  search: Walk,
  naming: Promise<NamedPaths | undefined>,
): AsyncGenerator<FolderFiles> {
  let named: NamedPaths | undefined;
  const known = naming.then(paths => {
    named = paths;
  });
  if (!(await isLate(known, headStart))) {
    await known;
  }
  known.catch(() => {}); // A late failure changes nothing: the walk goes on.
  const walked = new Set<string>();
  if (!named) {
    for await (const files of walk(search)) {
      yield files;
      walked.add(files.folder.join('/'));
      if (named) {
        break;
      }
    }
  }
  const { folder } = search.filter.wanted;
  const isOpen = (names: readonly string[]) =>
    !walked.has([...folder, ...names.slice(0, -1)].join('/'));
  yield* wantedAmong((named ?? []).filter(isOpen), search);
}

/**
 * The paths (names from the searched folder on) that a walk would come to, in the order in which it
 * would.
 */
async function* wantedAmong(
  paths: NamedPaths,
  { filter, slice, counts }: Walk,
): AsyncGenerator<FolderFiles> {
  const places = new Places(filter, counts);
  for (const { folder, files } of byFolder(paths)) {
    const place = places.at(folder);
    if (place) {
      const isWanted = (name: string) => filter.wantsFile([...place.names, name], place.rules);
      counts.files += files.length;
      yield { folder: place.names, files: files.filter(isWanted) };
    }
    if (slice.isSpent) {
      await slice.pause();
    }
  }
}

/** The folders that a filter wants, found one by one instead of by walking through all of them. */
class Places {
  private readonly filter: SearchFilter;
  private readonly counts: SearchCounts;
  private readonly known = new Map<string, Place | undefined>();

  constructor(filter: SearchFilter, counts: SearchCounts) {
    this.filter = filter;
    this.counts = counts;
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
    const { filter, counts } = this;
    const above = folder.length === 0 ? filter.start() : this.at(folder.slice(0, -1));
    const names = [...filter.wanted.folder, ...folder];
    const isWanted = folder.length === 0 || filter.wantsFolder(names, above?.rules);
    if (!above || !isWanted) {
      return undefined;
    }
    const marks = filter.tree.marksOf(names);
    counts.unreadable += marks ? 0 : 1;
    return marks && filter.inside({ names, rules: above.rules }, marks);
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
