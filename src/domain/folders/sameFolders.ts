import type { Folder } from './folders.ts';

/**
 * Groups of folders that are one and the same on disk, under several paths: same real path, or same
 * device and inode. Only groups of more than one, each in the order of the folders.
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
