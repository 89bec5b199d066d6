import { longestMessage } from '../../base/lineReader.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import type { LongCall } from '../runningCall.ts';
import { FolderTree } from '../search/folderTree.ts';
import { type DirectoryEntry, detailsOf, type EntryDetails, entriesIn } from './entries.ts';
import type { ListedEntry, Listing, ListingRequest } from './folderListing.ts';

/** The part of a tree to list. */
export interface TreeRequest extends ListingRequest {
  /** The number of levels: 1 is the entries of the folder itself. */
  readonly depth: number;
  readonly details: boolean;
}

/**
 * Lists one part of the tree below a folder in a root, in the order of {@link walkTree}. `path` is
 * the folder's real path. `undefined`: the folder can't be read, or is gone.
 * @throws the reason of the signal when it is aborted.
 */
export async function listTree(
  path: string,
  request: TreeRequest,
  call: LongCall,
): Promise<Listing | undefined> {
  const { offset, limit } = request;
  const tree = new FolderTree(call.scope, path);
  const walk = walkTree(tree, request);
  if (!walk) {
    return undefined;
  }
  let count = 0;
  let length = 0;
  let hasMore = false;
  const taken: TreeEntry[] = [];
  const slice = new TimeSlice(call.signal, { onPause: () => call.progress(count) });
  for (const next of walk) {
    count += 1;
    if (count > offset) {
      length += listed(next).name.length;
      hasMore = taken.length === limit || length > mostLength;
      if (hasMore) {
        break;
      }
      taken.push(next);
    }
    if (slice.isSpent) {
      await slice.pause();
    }
  }
  const details = request.details ? await detailsIn(tree, taken, slice) : undefined;
  return {
    path,
    entries: taken.map(each => ({ ...listed(each), ...details?.get(each) })),
    ...(hasMore && { nextOffset: offset + taken.length }),
  };
}

function listed({ entry, folder, isUnread }: TreeEntry): ListedEntry {
  const name = [...folder, entry.name].join('/');
  return { ...entry, name, ...(isUnread && { isUnread }) };
}

/** Reads the entries' details. Opening each folder again costs little: a page has few folders. */
async function detailsIn(
  tree: FolderTree,
  entries: readonly TreeEntry[],
  slice: TimeSlice,
): Promise<ReadonlyMap<TreeEntry, EntryDetails>> {
  const folders = new Map<readonly string[], TreeEntry[]>();
  for (const each of entries) {
    const group = folders.get(each.folder) ?? [];
    group.push(each);
    folders.set(each.folder, group);
  }
  const details = new Map<TreeEntry, EntryDetails>();
  for (const [names, inside] of folders) {
    tree.visit(names, folder => {
      for (const each of inside.filter(({ entry }) => !tree.isSilent([...names, entry.name]))) {
        details.set(each, detailsOf(folder, each.entry));
      }
    });
    await slice.next();
  }
  return details;
}

/** The most UTF-16 units of names in an answer. Each unit takes at most 21 bytes in it. */
const mostLength = longestMessage / 21;

/** An entry found during a walk. */
interface TreeEntry {
  readonly entry: DirectoryEntry;
  /** The names from the top of the tree to the folder that holds the entry. */
  readonly folder: readonly string[];
  /** Set for a folder that the walk had to enter, but could not read. */
  readonly isUnread?: true;
}

/**
 * Walks a tree in the order of names, each folder before its entries, each entry in one synchronous
 * step. Does not follow links. Enters a folder only if its path leads to it without a link.
 * `undefined`: the top folder can't be read.
 */
export function walkTree(
  tree: FolderTree,
  request: Pick<TreeRequest, 'depth' | 'exclude'>,
  folder: readonly string[] = [],
): Iterable<TreeEntry> | undefined {
  const entries = tree
    .visit(folder, entriesIn)
    ?.filter(({ name }) => !request.exclude?.matches([...folder, name], 0))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries && withContents();

  function* withContents(): Generator<TreeEntry> {
    for (const entry of entries ?? []) {
      const isOpened = entry.type === 'directory' && folder.length + 1 < request.depth;
      const inside = isOpened ? walkTree(tree, request, [...folder, entry.name]) : [];
      yield { entry, folder, ...(!inside && { isUnread: true }) };
      yield* inside ?? [];
    }
  }
}
