import { longestMessage } from '../../base/lineReader.ts';
import { TimeSlice } from '../../base/timeSlice.ts';
import type { Glob } from '../../domain/glob/glob.ts';
import type { LongCall } from '../runningCall.ts';
import { FolderTree } from '../search/folderTree.ts';
import { type DirectoryEntry, detailsOf, type EntryDetails, entriesIn } from './entries.ts';
import type { ListedEntry, ListingHead, ListingRequest } from './folderListing.ts';

/** The part of a tree to list. */
export interface TreeRequest extends ListingRequest {
  /** The number of levels: 1 is the entries of the folder itself. */
  readonly depth: number;
  readonly details: boolean;
}

/** A part of all that lies below a folder. */
interface TreeListing extends ListingHead {
  readonly entries: readonly ListedEntry[];
}

/**
 * A part of all that lies below a folder in a root, given by its real path, in the order of a
 * `TreeWalk`; `undefined` when the folder can't be read, or is not there any more.
 * @throws the reason of the signal, when that is aborted.
 */
export async function listTree(
  path: string,
  request: TreeRequest,
  call: LongCall,
): Promise<TreeListing | undefined> {
  const tree = new FolderTree(call.scope, path);
  const walk = new TreeWalk({ tree, ...request });
  if (!walk.isReadable) {
    return undefined;
  }
  const slice = new TimeSlice(call.signal, { onPause: () => call.progress(walk.count) });
  const { taken, hasMore } = await take(walk, request, slice);
  const details = request.details ? await detailsIn(tree, taken, slice) : undefined;
  return {
    path,
    entries: taken.map(each => ({ ...listed(each), ...details?.get(each) })),
    ...(hasMore && { nextOffset: request.offset + taken.length }),
  };
}

async function take(
  walk: TreeWalk,
  { offset, limit }: ListingRequest,
  slice: TimeSlice,
): Promise<{ readonly taken: readonly TreeEntry[]; readonly hasMore: boolean }> {
  const taken: TreeEntry[] = [];
  let length = 0;
  for (let next = walk.next(); next; next = walk.next()) {
    if (walk.count > offset) {
      length += listed(next).name.length;
      if (taken.length === limit || length > mostLength) {
        return { taken, hasMore: true };
      }
      taken.push(next);
    }
    if (slice.isSpent) {
      await slice.pause();
    }
  }
  return { taken, hasMore: false };
}

function listed({ entry, folder, isUnread }: TreeEntry): ListedEntry {
  const name = [...folder, entry.name].join('/');
  return { ...entry, name, ...(isUnread && { isUnread }) };
}

/** Opens each folder once more: what is on one page comes from few of them. */
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
    if (slice.isSpent) {
      await slice.pause();
    }
  }
  return details;
}

/** In UTF-16 units of names. Each takes 13 bytes of JSON at most, and the rest of a line is for all else. */
const mostLength = longestMessage / 21;

/** An entry on the way through a tree. */
interface TreeEntry {
  readonly entry: DirectoryEntry;
  /** The names from the top of the tree to the folder that holds it. */
  readonly folder: readonly string[];
  /** Whether it is a folder on whose entries the walk would go on, had they been readable. */
  readonly isUnread?: true;
}

/** The tree, depth and exclusions of a walk. */
interface TreeWalkOptions {
  readonly tree: FolderTree;
  /** The number of levels: 1 is the entries of the top itself. */
  readonly depth: number;
  readonly exclude?: Glob | undefined;
}

/**
 * Walks through a tree by name, each folder before what it holds. Links are not followed, and a
 * folder is used only if what was opened is really in its place.
 */
export class TreeWalk {
  /** Whether the top of the tree could be read. */
  readonly isReadable: boolean;
  private readonly options: TreeWalkOptions;
  /** The entries known to come, the next one at the end. */
  private readonly ahead: TreeEntry[];
  private passed = 0;

  constructor(options: TreeWalkOptions) {
    this.options = options;
    const first = this.entriesIn([]);
    this.isReadable = first !== undefined;
    this.ahead = first?.reverse() ?? [];
  }

  /** The number of entries so far. */
  get count(): number {
    return this.passed;
  }

  /** The next entry, in one synchronous step; `undefined` at the end. */
  next(): TreeEntry | undefined {
    const next = this.ahead.pop();
    this.passed += next ? 1 : 0;
    if (next?.entry.type !== 'directory' || next.folder.length + 1 >= this.options.depth) {
      return next;
    }
    const inside = this.entriesIn([...next.folder, next.entry.name]);
    for (const entry of inside?.reverse() ?? []) {
      this.ahead.push(entry);
    }
    return inside ? next : { ...next, isUnread: true };
  }

  private entriesIn(folder: readonly string[]): TreeEntry[] | undefined {
    const { tree, exclude } = this.options;
    return tree
      .visit(folder, entriesIn)
      ?.filter(({ name }) => !exclude?.matches([...folder, name], 0))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(entry => ({ entry, folder }));
  }
}
