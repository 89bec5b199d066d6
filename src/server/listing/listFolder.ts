import { join } from 'node:path';
import type { Glob } from '../../domain/glob/glob.ts';
import type { OpenedFolder } from '../paths/openInside.ts';
import {
  countOf,
  detailsOf,
  entriesOf,
  filterNames,
  type Names,
  namesIn,
  partOf,
} from './entries.ts';
import type { ListedEntry, ListingHead } from './listingText.ts';

/** Which entries of a folder to list. */
export interface ListingRequest {
  /** How many entries to pass over. */
  readonly offset: number;
  readonly limit: number;
  /** Not these. */
  readonly exclude?: Glob | undefined;
}

/** A part of what a folder holds. */
export interface FolderListing extends ListingHead {
  readonly names: Names;
  readonly total: number;
}

/** A part of what an opened folder holds: its folders, its files and so on, each by name. */
export function listFolder(folder: OpenedFolder, request: ListingRequest): FolderListing {
  const { offset, limit, exclude } = request;
  const all = namesIn(folder);
  const wanted = exclude ? filterNames(all, name => !exclude.matches([name], 0)) : all;
  const total = countOf(wanted);
  const names = partOf(wanted, offset, limit);
  const end = offset + limit;
  return { path: folder.path, names, total, ...(end < total && { nextOffset: end }) };
}

/** The same with details, while the folder is open. */
export function detailedEntries(folder: OpenedFolder, names: Names): readonly ListedEntry[] {
  const { root, path } = folder;
  return entriesOf(names).map(entry => {
    const isSilent = entry.type === 'directory' && root.silentOn(join(path, entry.name));
    return { ...entry, ...(!isSilent && detailsOf(folder, entry)) };
  });
}
