import { fileUri } from '../paths/fileUri.ts';
import type { PathPlatform } from '../paths/pathNames.ts';

/** The state of a folder's path on disk. A {@link DiskLook} has what was last found there. */
export type DiskState = 'directory' | 'missing' | 'not-a-directory' | 'unreadable';

export interface DiskLook {
  readonly disk: DiskState;
  /** The path as the disk spells it, with links resolved; `undefined` when nobody could read it. */
  readonly realPath: string | undefined;
  /** The folder's device and inode, from `placeOf`; `undefined` when nobody could read them. */
  readonly place: string | undefined;
}

/**
 * Why a folder is a candidate for sharing: it belongs to the workspace or to the setting for extra
 * folders, or the user or a server's definition picked it for one server.
 */
export type FolderOrigin = 'workspace' | 'extra' | 'picked';

/** A candidate for a root. It must stay immutable: the rules cache their ruling by object. */
export interface Folder extends DiskLook {
  /** The folder's URI: canonical for `file:` folders. Grants are stored under it. */
  readonly uri: string;
  readonly name: string;
  /** The absolute path on this machine; `undefined` when the folder is not on a local disk. */
  readonly path: string | undefined;
  readonly origin: FolderOrigin;
}

/** Makes a folder on this machine's disk, still without real path and place. */
export function diskFolder(
  path: string,
  name: string,
  disk: DiskState,
  platform: PathPlatform,
): Folder {
  const place = { realPath: undefined, place: undefined };
  return { uri: fileUri(path, platform), name, path, disk, origin: 'workspace', ...place };
}

/** Makes a folder of a virtual file system. It can't be a root, because roots are `file:` URIs. */
export function virtualFolder(uri: string, name: string): Folder {
  const look: DiskLook = { disk: 'missing', realPath: undefined, place: undefined };
  return { uri, name, path: undefined, origin: 'workspace', ...look };
}

/** The folders in order, each URI once. Of several folders with one URI, the first stays. */
export function uniqueFolders<F extends Pick<Folder, 'uri'>>(folders: readonly F[]): F[] {
  const byUri = new Map<string, F>();
  for (const folder of folders) {
    if (!byUri.has(folder.uri)) {
      byUri.set(folder.uri, folder);
    }
  }
  return [...byUri.values()];
}
