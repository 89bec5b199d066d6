import { join } from 'node:path';
import type { Glob } from '../../domain/glob/glob.ts';
import type { OpenedFolder } from '../paths/openInside.ts';
import { type DirectoryEntry, detailsOf, entriesIn } from './entries.ts';
import type { ListedEntry, ListingHead } from './listingText.ts';

/** The part of a folder to list. */
export interface ListingRequest {
  /** The number of entries to pass over. */
  readonly offset: number;
  readonly limit: number;
  /** Not these. */
  readonly exclude?: Glob | undefined;
}

/** A part of what a folder holds: its folders, its files and so on, each by name. */
export interface FolderListing extends ListingHead {
  readonly entries: readonly DirectoryEntry[];
  readonly total: number;
}

export function listFolder(folder: OpenedFolder, request: ListingRequest): FolderListing {
  const { offset, limit, exclude } = request;
  const wanted = entriesIn(folder).filter(({ name }) => !exclude?.matches([name], 0));
  const total = wanted.length;
  const end = offset + limit;
  const entries = wanted.slice(offset, end);
  return { path: folder.path, entries, total, ...(end < total && { nextOffset: end }) };
}

/** The same with details, while the folder is open. */
export function detailedEntries(
  folder: OpenedFolder,
  entries: readonly DirectoryEntry[],
): readonly ListedEntry[] {
  const { root, path } = folder;
  return entries.map(entry => {
    const isSilent = entry.type === 'directory' && root.silentOn(join(path, entry.name));
    return { ...entry, ...(!isSilent && detailsOf(folder, entry)) };
  });
}
