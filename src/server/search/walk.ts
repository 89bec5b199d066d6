import type { TimeSlice } from '../../base/timeSlice.ts';
import type { FolderContent } from './folderTree.ts';
import type { SearchFilter, SearchPlace } from './searchFilter.ts';

/** Files of one folder that a search looks at, sorted. */
export interface FolderFiles {
  /** The names from the root to the folder. */
  readonly folder: readonly string[];
  readonly files: readonly string[];
}

/** The rules and the counts of a search. */
export interface Walk {
  readonly filter: SearchFilter;
  readonly slice: TimeSlice;
  readonly counts: SearchCounts;
}

/** Counts of a search. */
export interface SearchCounts {
  /** Files that were looked at, by name or inside. */
  files: number;
  /** Files and folders that it may not read, or that changed meanwhile. */
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
  { names, rules }: SearchPlace,
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
