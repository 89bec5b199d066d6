import type { FolderContent } from './folderTree.ts';
import type { Pace } from './pace.ts';
import type { Place, Territory } from './territory.ts';

/** Files of one folder that a search looks at, sorted. */
export interface FolderFiles {
  /** The names from the root to the folder. */
  readonly folder: readonly string[];
  readonly files: readonly string[];
}

/** What a search has come across. */
export interface Tally {
  /** How many files it has looked at, by name or inside. */
  files: number;
  /** How many files and folders it may not read, or that changed under its eyes. */
  unreadable: number;
}

/**
 * Walks the territory in an order that is always the same: first the files of a folder by name,
 * then its folders by name, each with all that is in it. Ends early when the time is over.
 */
export async function* walk(
  territory: Territory,
  pace: Pace,
  tally: Tally,
): AsyncGenerator<FolderFiles> {
  const ahead = [territory.start()];
  for (let place = ahead.pop(); place && !pace.isOver; place = ahead.pop()) {
    if (pace.isSpent) {
      await pace.pause();
    }
    const content = territory.tree.list(place.names);
    if (!content) {
      tally.unreadable += 1;
      continue;
    }
    const inside = territory.inside(place, content.marks);
    const files = await select(content, inside, { territory, pace, tally });
    tally.unreadable += content.nameless;
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
  {
    territory,
    pace,
    tally,
  }: { readonly territory: Territory; readonly pace: Pace; readonly tally: Tally },
): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  const path = [...names, ''];
  const only = async (entries: readonly string[], isWanted: () => boolean) => {
    const wanted: string[] = [];
    for (const entry of entries) {
      if (pace.isOver) {
        break;
      }
      path[names.length] = entry;
      if (isWanted()) {
        wanted.push(entry);
      }
      if (pace.isSpent) {
        await pace.pause();
      }
    }
    return wanted.sort();
  };
  const files = await only(content.files, () => {
    tally.files += 1;
    return territory.wantsFile(path, rules);
  });
  const folders = await only(content.folders, () => territory.wantsFolder(path, rules));
  return { files, folders };
}
