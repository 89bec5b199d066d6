import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { FolderTree } from '../search/folderTree.ts';
import { Pace } from '../search/pace.ts';
import { detailsOf, type EntryDetails } from './details.ts';
import type { ListingRequest } from './listFolder.ts';
import type { ListedEntry } from './listingText.ts';
import { type TreeEntry, TreeWalk } from './treeWalk.ts';

/** What is wanted of a tree. */
export interface TreeRequest extends ListingRequest {
  /** How many levels: 1 is what the folder itself holds. */
  readonly depth: number;
  readonly details: boolean;
}

/** A part of all that lies below a folder. */
export interface TreeListing {
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  /** Where the next part starts, when there is one. */
  readonly nextOffset?: number;
}

/** The call for which a tree is listed. */
export interface TreeCall {
  readonly scope: PathScope<RootFolder>;
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/**
 * A part of all that lies below a folder in a root, given by its real path, in the order of a
 * `TreeWalk`; `undefined` when the folder can't be read, or is not there any more.
 * @throws the reason of the signal, when that is aborted.
 */
export async function listTree(
  path: string,
  request: TreeRequest,
  call: TreeCall,
): Promise<TreeListing | undefined> {
  const tree = new FolderTree(call.scope, path);
  const walk = new TreeWalk({ tree, ...request });
  if (!walk.isReadable) {
    return undefined;
  }
  const pace = new Pace(call.signal, Number.POSITIVE_INFINITY, () => call.progress(walk.count));
  const { taken, hasMore } = await take(walk, request, pace);
  const details = request.details ? await detailsIn(tree, taken, pace) : undefined;
  return {
    path,
    entries: taken.map(each => ({ ...listed(each), ...details?.get(each) })),
    ...(hasMore && { nextOffset: request.offset + taken.length }),
  };
}

async function take(
  walk: TreeWalk,
  { offset, limit }: ListingRequest,
  pace: Pace,
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
    if (pace.isSpent) {
      await pace.pause();
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
  pace: Pace,
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
      for (const each of inside) {
        details.set(each, detailsOf(folder, each.entry));
      }
    });
    if (pace.isSpent) {
      await pace.pause();
    }
  }
  return details;
}

/** In UTF-16 units of names. Each takes 13 bytes of JSON at most, and a line may have 8 MB. */
const mostLength = 400_000;
