import type { Folder } from './folders.ts';

/** What a server is told of one folder. (Model Context Protocol, `Root`.) */
export interface Root {
  readonly uri: string;
  readonly name: string;
}

/**
 * The roots of these folders, in their order and with names of their own.
 *
 * Only the folders given are looked at, so a name never tells of a folder that is kept back.
 */
export function toRoots(folders: readonly Folder[]): Root[] {
  const names = distinctNames(folders);
  return folders.map(({ uri }, index) => ({ uri, name: names[index] ?? uri }));
}

/** Whether a server told `a` would learn nothing from `b`: same roots, same names, same order. */
export function sameRoots(a: readonly Root[], b: readonly Root[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ uri, name }, index) => uri === b[index]?.uri && name === b[index]?.name)
  );
}

/** Folders that share a name are told apart by as many parent folders as that takes. */
function distinctNames(folders: readonly Folder[]): string[] {
  return folders.map(folder => {
    const rivals = folders.filter(other => other !== folder && other.name === folder.name);
    return rivals.length === 0 ? folder.name : `${folder.name} (${tellingParents(folder, rivals)})`;
  });
}

function tellingParents(folder: Folder, rivals: readonly Folder[]): string {
  const own = parents(folder);
  for (let depth = 1; depth < own.length; depth++) {
    const suffix = own.slice(-depth).join('/');
    if (rivals.every(rival => parents(rival).slice(-depth).join('/') !== suffix)) {
      return suffix;
    }
  }
  return folder.path ?? folder.uri;
}

function parents({ path, uri }: Folder): string[] {
  return (path ?? uri).split(/[/\\]+/).slice(0, -1);
}
