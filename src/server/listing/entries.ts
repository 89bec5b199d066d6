import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import type { PinnedFolder } from '../paths/pins.ts';
import { isName } from '../search/folderTree.ts';

/**
 * The kinds of entries of a folder, in the order in which they are listed. A link is one wherever it leads;
 * `other` is a pipe, a socket or a device. No path can name what is `unreachable`, because its
 * name is no text.
 */
export const entryTypes = ['directory', 'file', 'link', 'other', 'unreachable'] as const;

export type EntryType = (typeof entryTypes)[number];

export type FileType = Exclude<EntryType, 'unreachable'>;

/** An entry of a folder. */
export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

/** All that an opened folder holds: by type, and of each type by name, in UTF-16 units. */
export function entriesIn({ at }: Pick<PinnedFolder, 'at'>): readonly DirectoryEntry[] {
  const names: Record<EntryType, string[]> = {
    directory: [],
    file: [],
    link: [],
    other: [],
    unreachable: [],
  };
  for (const entry of readdirSync(at('.'), { withFileTypes: true })) {
    names[isName({ at }, entry.name) ? fileTypeOf(entry) : 'unreachable'].push(entry.name);
  }
  return entryTypes.flatMap(type => names[type].sort().map(name => ({ name, type })));
}

/** The type of an entry itself, no link followed. */
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

/** Facts that are looked up entry by entry, which takes far longer than all names together. */
export interface EntryDetails {
  /** In bytes; files only. */
  readonly size?: number;
  readonly modified?: string;
}

/** The details of an entry of an opened folder; none of what can't be looked at, or is gone. */
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
    return {}; // It is listed all the same: it was there a moment ago.
  }
}

/** A time as text; `undefined` for one that file systems can keep and JavaScript cannot. */
export function isoTime(time: Date): string | undefined {
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
