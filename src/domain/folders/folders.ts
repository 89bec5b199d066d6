import { fileUri } from '../paths/fileUri.ts';
import type { PathPlatform } from '../paths/pathNames.ts';

/** The state of a folder's path on disk. */
export type DiskState = 'directory' | 'missing' | 'not-a-directory' | 'unreadable';

export interface DiskLook {
  readonly disk: DiskState;
  /** The path as the disk spells it, every link resolved; `undefined` when that can't be told. */
  readonly realPath: string | undefined;
  /** The key that the disk knows it by, from `placeOf`; `undefined` when that can't be told. */
  readonly place: string | undefined;
}

/**
 * Why a folder is a candidate: it is one of the workspace, of the setting for extra folders, or was
 * offered to one server, by the user or by the server's definition.
 */
export type FolderOrigin = 'workspace' | 'extra' | 'picked';

/** A candidate for a root. It must stay immutable: the rules keep their ruling on each object. */
export interface Folder extends DiskLook {
  /** The folder's URI: canonical for `file:` folders. Grants are kept under it. */
  readonly uri: string;
  readonly name: string;
  /** The absolute path on this machine; `undefined` when the folder is on no disk of it. */
  readonly path: string | undefined;
  readonly origin: FolderOrigin;
}

/** A folder of the workspace on this machine's disk, of which nothing is known but that. */
export function diskFolder(
  path: string,
  name: string,
  disk: DiskState,
  platform: PathPlatform,
): Folder {
  const place = { realPath: undefined, place: undefined };
  return { uri: fileUri(path, platform), name, path, disk, origin: 'workspace', ...place };
}

/** A folder of a virtual file system. It can never be a root: roots are `file:` URIs. */
export function virtualFolder(uri: string, name: string): Folder {
  const look: DiskLook = { disk: 'missing', realPath: undefined, place: undefined };
  return { uri, name, path: undefined, origin: 'workspace', ...look };
}

/** The folders in their order, each once: the first of those with one URI stays. */
export function uniqueFolders<F extends Pick<Folder, 'uri'>>(folders: readonly F[]): F[] {
  const byUri = new Map<string, F>();
  for (const folder of folders) {
    if (!byUri.has(folder.uri)) {
      byUri.set(folder.uri, folder);
    }
  }
  return [...byUri.values()];
}
