import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import type { PinnedFolder } from '../paths/pins.ts';

/**
 * What a folder may hold, in the order in which it is listed. A link is one wherever it leads;
 * `other` is a pipe, a socket or a device. No path can name what is `unreachable`, because its
 * name is no text.
 */
export const entryTypes = ['directory', 'file', 'link', 'other', 'unreachable'] as const;

export type EntryType = (typeof entryTypes)[number];

/** Names by what they stand for, each list sorted by UTF-16 units. */
export type Names = Readonly<Record<EntryType, readonly string[]>>;

/** What a folder holds under one name. */
export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

/** The names of all that an opened folder holds. */
export function namesIn({ at }: Pick<PinnedFolder, 'at'>): Names {
  const names = noNames();
  const found = readdirSync(at('.'), { withFileTypes: true });
  // U+FFFD stands for bytes that are no text, in which several names may look like one.
  if (found.some(({ name }) => name.includes('\ufffd'))) {
    for (const entry of readdirSync(at('.'), { withFileTypes: true, encoding: 'buffer' })) {
      const isName = isUtf8(entry.name);
      names[isName ? typeOf(entry) : 'unreachable'].push(
        isName ? entry.name.toString() : escaped(entry.name),
      );
    }
  } else {
    for (const entry of found) {
      names[typeOf(entry)].push(entry.name);
    }
  }
  for (const type of entryTypes) {
    names[type].sort();
  }
  return names;
}

/** The names to which `isMeant` says yes. */
export function filterNames(names: Names, isMeant: (name: string) => boolean): Names {
  return mapNames(names, list => list.filter(isMeant));
}

/** So many names from one position on, counted over all lists. */
export function partOf(names: Names, offset: number, limit: number): Names {
  let start = offset;
  return mapNames(names, list => {
    const part = list.slice(Math.max(0, start), Math.max(0, start + limit));
    start -= list.length;
    return part;
  });
}

export function countOf(names: Names): number {
  return entryTypes.reduce((count, type) => count + names[type].length, 0);
}

/** The same names, one by one. */
export function entriesOf(names: Names): readonly DirectoryEntry[] {
  return entryTypes.flatMap(type => names[type].map(name => ({ name, type })));
}

/** The names of entries, in the order in which these come. */
export function namesOf(entries: readonly DirectoryEntry[]): Names {
  const names = noNames();
  for (const { name, type } of entries) {
    names[type].push(name);
  }
  return names;
}

function mapNames(names: Names, change: (list: readonly string[]) => string[]): Names {
  const changed = noNames();
  for (const type of entryTypes) {
    changed[type] = change(names[type]);
  }
  return changed;
}

function noNames(): Record<EntryType, string[]> {
  return { directory: [], file: [], link: [], other: [], unreachable: [] };
}

function typeOf(entry: Dirent | Dirent<Buffer>): EntryType {
  if (entry.isFile()) {
    return 'file';
  }
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Other bytes are written in another way, so that no two such names look the same. */
function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replace(/[^ -[\]-~]/g, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
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
  { name, type }: DirectoryEntry,
): EntryDetails {
  try {
    const stats = type === 'unreachable' ? undefined : lstatSync(at(name));
    const modified = stats && isoTime(stats.mtime);
    return {
      ...(stats?.isFile() && { size: stats.size }),
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
