import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import type { PinnedFolder } from '../paths/pins.ts';
import { isName } from '../search/folderTree.ts';

/**
 * The types of a folder's entries, in the order of a list. A link has the type `link`, wherever it
 * leads. `other` is a pipe, a socket or a device. An entry is `unreachable` if its name is not
 * UTF-8, because no path can name the entry.
 */
export const entryTypes = ['directory', 'file', 'link', 'other', 'unreachable'] as const;

export type EntryType = (typeof entryTypes)[number];

export type FileType = Exclude<EntryType, 'unreachable'>;

/** An entry of a folder. */
export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

/** All entries of an opened folder, sorted by type, and within a type by name in UTF-16 units. */
export function entriesIn({ at }: Pick<PinnedFolder, 'at'>): readonly DirectoryEntry[] {
  const names = noNames();
  for (const entry of readdirSync(at('.'), { withFileTypes: true })) {
    names[isName({ at }, entry.name) ? fileTypeOf(entry) : 'unreachable'].push(entry.name);
  }
  return entryTypes.flatMap(type => names[type].sort().map(name => ({ name, type })));
}

/** An empty list of names for each type. */
export function noNames(): Record<EntryType, string[]> {
  return { directory: [], file: [], link: [], other: [], unreachable: [] };
}

/** The type of the entry itself. Does not follow a link. */
export function fileTypeOf(
  entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>,
): FileType {
  if (entry.isFile()) {
    return 'file';
  }
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Facts about one entry. Reading them for each entry takes far longer than reading all names. */
export interface EntryDetails {
  /** The size in bytes. Only files have a size. */
  readonly size?: number;
  readonly modified?: string;
}

/** The details of an entry of an opened folder. Empty: the entry can't be read, or is gone. */
export function detailsOf(
  { at }: Pick<PinnedFolder, 'at'>,
  { name }: DirectoryEntry,
): EntryDetails {
  try {
    const stats = lstatSync(at(name));
    const modified = isoTime(stats.mtime);
    return {
      ...(stats.isFile() && { size: stats.size }),
      ...(modified !== undefined && { modified }),
    };
  } catch {
    return {}; // The entry stays in the list, because it existed a moment ago.
  }
}

/** A time as ISO text. `undefined`: the file system can store the time, but JavaScript cannot. */
export function isoTime(time: Date): string | undefined {
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
