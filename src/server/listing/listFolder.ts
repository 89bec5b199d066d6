import { join } from 'node:path';
import type { Glob } from '../../domain/glob/glob.ts';
import type { OpenedFolder } from '../paths/openInside.ts';
import { type DirectoryEntry, detailsOf, entriesIn } from './entries.ts';
import type { ListedEntry, Listing } from './listingText.ts';

/** Which entries to list. */
export interface ListingRequest {
  /** How many entries to pass over. */
  readonly offset: number;
  readonly limit: number;
  readonly details?: boolean;
  /** Not these. */
  readonly exclude?: Glob | undefined;
}

/** A part of what an opened folder holds. */
export function listFolder(folder: OpenedFolder, request: ListingRequest): Listing {
  const { offset, limit, details, exclude } = request;
  const all = entriesIn(folder).filter(({ name }) => !exclude?.matches([name], 0));
  const end = offset + limit;
  const part = all.slice(offset, end);
  return {
    path: folder.path,
    entries: details ? part.map(entry => withDetails(folder, entry)) : part,
    total: all.length,
    ...(end < all.length && { nextOffset: end }),
  };
}

function withDetails(folder: OpenedFolder, entry: DirectoryEntry): ListedEntry {
  const isFolder = entry.type === 'directory';
  const isSilent = isFolder && folder.root.silentOn(join(folder.path, entry.name));
  return { ...entry, ...(!isSilent && detailsOf(folder, entry)) };
}
