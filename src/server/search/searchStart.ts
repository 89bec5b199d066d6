import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { inFolderInside, openFileInside } from '../paths/openInside.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { FolderTree } from './folderTree.ts';

/** Where a search starts. */
export interface SearchStart {
  readonly tree: FolderTree;
  /** The real path of the folder to search, and the names from the root to it. */
  readonly path: string;
  readonly folder: readonly string[];
  /** The name of the file in it that is meant, when it is a file. */
  readonly file: string | undefined;
}

/** Opens what is to be searched, a folder or one file, if it lies in a root. */
export function startSearch(scope: PathScope<RootFolder>, input: string): Outcome<SearchStart> {
  const folder = inFolderInside(scope, input, ({ path }) => path);
  if (folder.ok) {
    return { ok: true, value: startAt(scope, folder.value, undefined) };
  }
  const file = folder.kind === 'unusable' ? openFileInside(scope, input) : folder;
  if (!file.ok) {
    return file;
  }
  const { fd, path } = file.value;
  closeSync(fd);
  return { ok: true, value: startAt(scope, dirname(path), basename(path)) };
}

/** Of roots within each other the outermost counts: what is ignored is the same from everywhere. */
function startAt(
  scope: PathScope<RootFolder>,
  path: string,
  file: string | undefined,
): SearchStart {
  const separator = scope.platform === 'win32' ? '\\' : '/';
  const start = (real: string) => (real.endsWith(separator) ? real : real + separator);
  const [root = path] = scope.roots
    .map(({ real }) => real)
    .filter(real => real === path || path.startsWith(start(real)))
    .sort((a, b) => a.length - b.length);
  const below = path === root ? '' : path.slice(start(root).length);
  const folder = below === '' ? [] : below.split(separator);
  return { tree: new FolderTree(scope, root), path, folder, file };
}
