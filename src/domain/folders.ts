import { fileUri, type PathStyle } from './fileUri.ts';

/** What the disk holds where a folder should be. */
export type DiskState = 'directory' | 'missing' | 'not-a-directory' | 'unreadable';

/** A candidate for a root: a folder of the workspace. */
export interface Folder {
  /** The folder's URI: canonical for `file:` folders. Grants are kept under it. */
  readonly uri: string;
  readonly name: string;
  /** The absolute path on this machine; `undefined` when the folder is on no disk of it. */
  readonly path: string | undefined;
  readonly disk: DiskState;
}

/** A folder on this machine's disk. */
export function diskFolder(path: string, name: string, disk: DiskState, style: PathStyle): Folder {
  return { uri: fileUri(path, style), name, path, disk };
}

/** A folder of a virtual file system. It can never be a root: roots are `file:` URIs. */
export function virtualFolder(uri: string, name: string): Folder {
  return { uri, name, path: undefined, disk: 'missing' };
}

/** The folders in their order, each once: the first of those with one URI stays. */
export function uniqueFolders(folders: readonly Folder[]): Folder[] {
  const byUri = new Map<string, Folder>();
  for (const folder of folders) {
    if (!byUri.has(folder.uri)) {
      byUri.set(folder.uri, folder);
    }
  }
  return [...byUri.values()];
}
