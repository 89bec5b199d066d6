import { join } from 'node:path';
import type { Glob } from '../../domain/glob/glob.ts';
import { printable } from '../../domain/printable.ts';
import type { OpenedFolder } from '../paths/openInside.ts';
import {
  type DirectoryEntry,
  detailsOf,
  type EntryDetails,
  type EntryType,
  entriesIn,
} from './entries.ts';

/** The part of a folder to list. */
export interface ListingRequest {
  /** The number of entries to skip. */
  readonly offset: number;
  readonly limit: number;
  /** Entries to leave out. */
  readonly exclude?: Glob | undefined;
}

/** One part of a folder's entries: folders first, then files and so on, each sorted by name. */
export function listFolder(folder: OpenedFolder, request: ListingRequest): Listing {
  const { offset, limit, exclude } = request;
  const all = entriesIn(folder);
  const wanted = exclude ? all.filter(({ name }) => !exclude.matches([name], 0)) : all;
  const total = wanted.length;
  const end = offset + limit;
  const entries = wanted.slice(offset, end);
  return { path: folder.path, entries, total, ...(end < total && { nextOffset: end }) };
}

/** Adds details to the entries. The folder must still be open. */
export function detailedEntries(
  folder: OpenedFolder,
  entries: readonly DirectoryEntry[],
): readonly ListedEntry[] {
  const { root, path } = folder;
  return entries.map(entry => {
    const isSilent = entry.type === 'directory' && root.silentOn(join(path, entry.name));
    return { ...entry, ...(!isSilent && detailsOf(folder, entry)) };
  });
}

/** An entry in an answer. In a tree, its name is its path from the listed folder. */
export interface ListedEntry extends DirectoryEntry, EntryDetails {
  /** Set for a folder in a tree if its entries belong in the list, but could not be read. */
  readonly isUnread?: true;
}

/** One part of a folder or a tree. */
export interface Listing extends ListingHead {
  readonly entries: readonly ListedEntry[];
}

/** The facts of a listing apart from its entries. */
interface ListingHead {
  readonly path: string;
  /** The number of entries in the folder. Absent for a tree. */
  readonly total?: number;
  /** The offset of the next part. Absent: this part is the last. */
  readonly nextOffset?: number;
}

/** Entries for people and models, one per line. In a tree, a folder's entries are indented below it. */
export function textOfEntries(
  entries: readonly ListedEntry[],
  { path, total, nextOffset }: ListingHead,
): string {
  const isPart = nextOffset !== undefined;
  const count = total ?? entries.length;
  const noun =
    total === undefined && isPart ? ' or more entries' : count === 1 ? ' entry' : ' entries';
  const more = isPart ? [`There are more entries: continue with offset ${nextOffset}.`] : [];
  return [`${printable(path)}: ${count}${noun}`, ...entries.map(line), ...more].join('\n');
}

const marks: Readonly<Record<EntryType, string>> = {
  directory: '/',
  file: '',
  link: ' (link)',
  other: ' (neither file nor folder)',
  unreachable: ' (unreachable: the name is not UTF-8)',
};

function line({ name, type, size, modified, isUnread }: ListedEntry): string {
  const start = name.lastIndexOf('/') + 1;
  const indent = name.slice(0, start).replace(/[^/]*\//g, '  ');
  const shown = indent + printable(name.slice(start)) + marks[type];
  if (size === undefined && modified === undefined && !isUnread) {
    return shown;
  }
  const notes = [
    size === undefined ? '' : `${size} bytes`,
    modified ?? '',
    isUnread ? 'could not be read' : '',
  ].filter(note => note !== '');
  return `${shown} (${notes.join(', ')})`;
}
