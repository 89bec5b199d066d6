import type { Pace } from './pace.ts';
import type { Place, Territory } from './territory.ts';
import type { FolderFiles, Tally } from './walk.ts';

/**
 * Those of the paths (names from the searched folder on) that a walk of the territory would come
 * to, in the order in which it would.
 */
export async function* inTerritory(
  territory: Territory,
  paths: readonly (readonly string[])[],
  { pace, tally }: { readonly pace: Pace; readonly tally: Tally },
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

function byFolder(paths: readonly (readonly string[])[]) {
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
