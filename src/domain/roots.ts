import { type Folder, uniqueFolders } from './folders/folders.ts';

/** A shared folder, in the form that a server gets. (Model Context Protocol, `Root`.) */
export interface Root {
  readonly uri: string;
  readonly name: string;
  /** The folder's device and inode. Only the bundled server gets them, to check the folder. */
  readonly folder?: string;
}

/** The key of `folder` in the metadata of a root on the wire. */
export const folderKey = 'mcp-roots/folder';

/** The roots of these folders, with distinct names. No name reveals a folder that is not shared. */
export function toRoots(folders: readonly Folder[]): Root[] {
  const names = distinctNames(folders);
  return folders.map(({ uri }, index) => ({ uri, name: names[index] ?? uri }));
}

/** Whether a server that knows `a` learns nothing from `b`: equal roots in the same order. */
export function sameRoots(a: readonly Root[], b: readonly Root[]): boolean {
  const parts = Object.keys(told) as (keyof Root)[];
  return (
    a.length === b.length &&
    a.every((root, index) => parts.every(part => root[part] === b[index]?.[part]))
  );
}

/** The members of a root that are compared: all of them. */
const told: Readonly<Record<keyof Root, true>> = { uri: true, name: true, folder: true };

/** Whether a folder is the other folder or lies in it, by the text of their URIs. */
export function isUriWithin(uri: string, folder: string): boolean {
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
    return '..'; // An unreadable URI may lead anywhere, too.
  }
}

/** The folders' names. If several folders share a name, parent folders make the names distinct. */
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

/** The names of these folders, distinct from each other and from the names in `all`. */
export function namesAmong(folders: readonly Named[], all: readonly Named[]): string[] {
  return distinctNames(uniqueFolders([...folders, ...all])).slice(0, folders.length);
}

type Named = Pick<Folder, 'uri' | 'name' | 'path'>;

function withEnding({ name }: Named, ending: string): string {
  return `${name} (${ending})`;
}

/** The endings of a folder's path above its name: the last parent, the last two, and so on. */
function endings({ path, uri }: Named): string[] {
  const parents = (path ?? uri).split(/[/\\]+/).slice(0, -1);
  return parents.slice(1).map((_, index) => parents.slice(-index - 1).join('/'));
}
