import { posix, win32 } from 'node:path';
import { absolutePath, type PathContext } from './folderSettings.ts';
import {
  type DiskLook,
  diskFolder,
  type Folder,
  type FolderOrigin,
  uniqueFolders,
  virtualFolder,
} from './folders.ts';

/** A folder of the workspace. `path` is `undefined` on a virtual file system. */
interface WorkspaceEntry {
  readonly uri: string;
  readonly name: string;
  readonly path: string | undefined;
}

/** The folders of a window. Each is a candidate for any server. */
export interface WindowFolders {
  /** In the order of the Explorer. */
  readonly workspace: readonly WorkspaceEntry[];
  /** Paths outside the workspace. */
  readonly extra: readonly string[];
}

/** Returns the result of the last look at a path on disk; `undefined` before the first look. */
type LookOf = (path: string) => DiskLook | undefined;

/** Returns each folder that `lookOf` knows, once. So a slow disk delays only its own folders. */
export function sharedFolders(
  { workspace, extra }: WindowFolders,
  lookOf: LookOf,
  context: PathContext,
): Folder[] {
  return uniqueFolders([
    ...workspace.flatMap(({ uri, name, path }) =>
      path === undefined
        ? [virtualFolder(uri, name)]
        : folderAt({ path, name, origin: 'workspace' }, lookOf, context),
    ),
    ...foldersAt(extra, 'extra', lookOf, context),
  ]);
}

export function pickedFolders(
  paths: readonly string[],
  lookOf: LookOf,
  context: PathContext,
): Folder[] {
  return foldersAt(paths, 'picked', lookOf, context);
}

/**
 * Returns the paths that `roots` in a server's definition names, in this order. An entry can be the
 * name of a window's folder. A relative path starts in the folder whose name it begins with, or
 * else in the workspace's first folder. Impossible paths are left out.
 */
export function offeredPaths(
  offers: readonly string[],
  window: WindowFolders,
  context: PathContext,
): readonly string[] {
  const named = [
    ...window.workspace,
    ...window.extra.map(path => ({ path, name: nameOf(path, context) })),
  ].flatMap(({ name, path }) => (path === undefined ? [] : [{ name, path }]));
  const first = window.workspace.find(({ path }) => path !== undefined)?.path;
  const paths = offers.flatMap(offer => {
    const own = named.filter(({ name }) => name === offer).map(({ path }) => path);
    return own.length > 0 ? own : (pathBelow(offer, named, first, context) ?? []);
  });
  return [...new Set(paths)];
}

function pathBelow(
  offer: string,
  named: readonly { readonly name: string; readonly path: string }[],
  first: string | undefined,
  context: PathContext,
): string | undefined {
  const absolute = absolutePath(offer, context);
  if (absolute !== undefined || /^~(?:$|[\\/])/.test(offer)) {
    return absolute;
  }
  const { join } = rulesOf(context);
  const parent = named.find(({ name }) => offer.startsWith(`${name}/`));
  const below = parent ? join(parent.path, offer.slice(parent.name.length + 1)) : undefined;
  const path = below ?? (first === undefined ? undefined : join(first, offer));
  return path === undefined ? undefined : absolutePath(path, context);
}

function foldersAt(
  paths: readonly string[],
  origin: FolderOrigin,
  lookOf: LookOf,
  context: PathContext,
): Folder[] {
  return paths.flatMap(path =>
    folderAt({ path, name: nameOf(path, context), origin }, lookOf, context),
  );
}

function folderAt(
  { path, name, origin }: { path: string; name: string; origin: FolderOrigin },
  lookOf: LookOf,
  { platform }: PathContext,
): Folder[] {
  const look = lookOf(path);
  return look ? [{ ...diskFolder(path, name, look.disk, platform), ...look, origin }] : [];
}

function nameOf(path: string, context: PathContext): string {
  return rulesOf(context).basename(path) || path;
}

function rulesOf({ platform }: PathContext): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
