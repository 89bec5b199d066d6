import { posix, win32 } from 'node:path';
import type { Folder } from './folders.ts';

/** A warning about a folder before it is exposed. */
export type FolderNote =
  /** The folder holds more than a project. */
  | { readonly kind: 'wide' }
  /** The user refused this folder to the server when the server had another identity. */
  | { readonly kind: 'refused' }
  /** The folder was allowed. Since then, another folder has taken its place. */
  | { readonly kind: 'replaced' }
  /** The folder lies in the candidate `name`, or contains it. Who sees the outer sees the inner. */
  | { readonly kind: 'inside'; readonly name: string }
  | { readonly kind: 'contains'; readonly name: string }
  /** The folder is the same on disk as the candidate called `name`. */
  | { readonly kind: 'same-as'; readonly name: string }
  /** Forbidden paths are below the folder. */
  | { readonly kind: 'holds-forbidden'; readonly paths: readonly string[] };

/**
 * Returns notes on each folder inside another, and on the nearest folder around it, by real paths.
 * The caller passes only folders that are or can become roots. `inside` comes before `contains`.
 */
export function overlapNotes(folders: readonly Folder[]): ReadonlyMap<Folder, FolderNote[]> {
  const onDisk = folders.filter(({ disk }) => disk === 'directory');
  const byPath = new Map<string, Folder[]>();
  for (const folder of onDisk) {
    const path = pathOf(folder);
    byPath.set(path, [...(byPath.get(path) ?? []), folder]);
  }
  const notes = new Map<Folder, FolderNote[]>();
  for (const folder of onDisk) {
    const [nearest, ...same] = containersOf(pathOf(folder), byPath);
    if (nearest) {
      notes.set(folder, [{ kind: 'inside', name: nearest.name }, ...(notes.get(folder) ?? [])]);
      for (const container of [nearest, ...same]) {
        const contains = { kind: 'contains', name: folder.name } as const;
        notes.set(container, [...(notes.get(container) ?? []), contains]);
      }
    }
  }
  return notes;
}

function containersOf(
  path: string,
  byPath: ReadonlyMap<string, readonly Folder[]>,
): readonly Folder[] {
  const { dirname } = path.startsWith('/') ? posix : win32;
  for (let below = path, above = dirname(path); above !== below; ) {
    const found = byPath.get(above);
    if (found) {
      return found;
    }
    below = above;
    above = dirname(above);
  }
  return [];
}

function pathOf({ realPath, path, uri }: Folder): string {
  return realPath ?? path ?? uri;
}

/**
 * Groups of paths that are one folder on disk: they have the same real path, or the same device and
 * inode. Only groups of two or more, each in folder order.
 */
export function sameFolders(folders: readonly Folder[]): (readonly Folder[])[] {
  const byKey = new Map<string, Folder[]>();
  const groups = new Set<Folder[]>();
  for (const folder of folders) {
    const keys = keysOf(folder);
    const group = keys.map(key => byKey.get(key)).find(known => known !== undefined) ?? [];
    group.push(folder);
    groups.add(group);
    for (const key of keys) {
      byKey.set(key, group);
    }
  }
  return [...groups].filter(({ length }) => length > 1);
}

function keysOf({ realPath, place }: Folder): string[] {
  return [
    ...(place === undefined ? [] : [`place ${place}`]),
    ...(realPath === undefined ? [] : [`path ${realPath}`]),
  ];
}

/** Whether the user allowed another folder that was in the same place. */
export function isReplaced({ notes }: { readonly notes: readonly FolderNote[] }): boolean {
  return notes.some(({ kind }) => kind === 'replaced');
}
