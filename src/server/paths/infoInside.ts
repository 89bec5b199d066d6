import { closeSync, fstatSync, lstatSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { headBytes } from '../reading/mediaType.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { FolderTree, readInto } from '../search/folderTree.ts';
import { locate } from './locate.ts';
import { notThere } from './openInside.ts';
import type { PinnedFolder } from './pins.ts';
import { type Outcome, unusable } from './refusal.ts';

/** The facts about a path in a root. */
export interface PathInfo {
  /** The real path, with all links followed. */
  readonly path: string;
  readonly root: RootFolder;
  readonly stats: Stats;
  /** The first bytes of a readable regular file. */
  readonly head?: Buffer;
}

/**
 * Looks up the entry at a path in a root, whatever its type. Opens only regular files, because a
 * pipe could block this server, and opening a device may have effects. Synchronous.
 */
export function infoInside(scope: PathScope<RootFolder>, input: string): Outcome<PathInfo> {
  const found = locate(scope, input);
  if (!found.ok) {
    return found;
  }
  const { real: path, root, exists } = found.value;
  if (!exists) {
    return notThere(scope, input, found.value);
  }
  // Looks up a root from within, because this server must not open the root's parent folder.
  const [parent, name] = path === root.real ? [path, '.'] : [dirname(path), basename(path)];
  const tree = new FolderTree(scope, parent);
  const seen = tree.visit([], folder => look(tree, folder, name));
  return seen
    ? { ok: true, value: { path, root, ...seen } }
    : unusable(
        input,
        'The system does not let this server look at the path, or the path is changing.',
      );
}

function look(
  tree: FolderTree,
  folder: PinnedFolder,
  name: string,
): Pick<PathInfo, 'stats' | 'head'> | undefined {
  const stats = lstatSync(folder.at(name));
  if (stats.isSymbolicLink()) {
    return undefined;
  }
  const file = stats.isFile() ? tree.open(folder, name) : undefined;
  if (!file) {
    return { stats };
  }
  try {
    const head = Buffer.alloc(headBytes);
    const length = readInto(file.fd, head);
    return { stats: fstatSync(file.fd), head: head.subarray(0, length) };
  } finally {
    closeSync(file.fd);
  }
}
