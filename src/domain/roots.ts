import type { Folder } from './folders/folders.ts';

/** A folder, as a server is told of it. (Model Context Protocol, `Root`.) */
export interface Root {
  readonly uri: string;
  readonly name: string;
  /** Its place on disk, for a server that looks whether it still is that folder: the bundled one alone. */
  readonly folder?: string;
}

/** The key of `folder` in the metadata of a root on its way. */
export const folderKey = 'mcp-roots/folder';

/** The roots of these folders, by names of their own, which tell of no folder that is kept back. */
export function toRoots(folders: readonly Folder[]): Root[] {
  const names = distinctNames(folders);
  return folders.map(({ uri }, index) => ({ uri, name: names[index] ?? uri }));
}

/** Whether a server told `a` would learn nothing from `b`: the same of each root, and the same order. */
export function sameRoots(a: readonly Root[], b: readonly Root[]): boolean {
  const parts = Object.keys(told) as (keyof Root)[];
  return (
    a.length === b.length &&
    a.every((root, index) => parts.every(part => root[part] === b[index]?.[part]))
  );
}

/** Of a root, all is told. */
const told: Readonly<Record<keyof Root, true>> = { uri: true, name: true, folder: true };

/** Whether a folder is the other or lies in it, as their URIs are written. */
export function isAtOrBelow(uri: string, folder: string): boolean {
  const [inner, outer] = [withoutSlash(uri), withoutSlash(folder)];
  // A path with `..` may lead anywhere.
  return !/(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(decoded(inner)) && `${inner}/`.startsWith(`${outer}/`);
}

function withoutSlash(uri: string): string {
  return uri.replace(/\/$/, '');
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return '..'; // What can't be read may lead anywhere, too.
  }
}

/** Folders that share a name are told apart by as many parent folders as that takes. */
export function distinctNames(folders: readonly Named[]): string[] {
  const names = new Set(folders.map(({ name }) => name));
  return folders.map(folder => {
    const rivals = folders.filter(other => other !== folder && other.name === folder.name);
    if (rivals.length === 0) {
      return folder.name;
    }
    const telling = endings(folder).find(
      ending =>
        !names.has(withEnding(folder, ending)) &&
        rivals.every(rival => !endings(rival).includes(ending)),
    );
    return withEnding(folder, telling ?? folder.path ?? folder.uri);
  });
}

type Named = Pick<Folder, 'uri' | 'name' | 'path'>;

function withEnding({ name }: Named, ending: string): string {
  return `${name} (${ending})`;
}

/** The last parent folder, the last two, and so on. */
function endings({ path, uri }: Named): string[] {
  const parents = (path ?? uri).split(/[/\\]+/).slice(0, -1);
  return parents.slice(1).map((_, index) => parents.slice(-index - 1).join('/'));
}
