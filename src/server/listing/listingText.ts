import { printable } from '../../domain/printable.ts';
import type { DirectoryEntry, EntryDetails, EntryType } from './entries.ts';

/** An entry as it is answered. In a tree, its name is its path from the listed folder. */
export interface ListedEntry extends DirectoryEntry, EntryDetails {
  /** Whether it is a folder whose own entries belong here and could not be read. */
  readonly isUnread?: true;
}

/** The facts of a listing besides its lines. */
export interface ListingHead {
  readonly path: string;
  /** The number of entries; unknown of a tree. */
  readonly total?: number;
  /** The start of the next part, when there is one. */
  readonly nextOffset?: number;
}

/** Entries for people and models, one line each: in a tree, what lies in a folder is indented below it. */
export function textOfEntries(
  entries: readonly ListedEntry[],
  { path, total, nextOffset }: ListingHead,
): string {
  const isPart = nextOffset !== undefined;
  const count = total ?? `${entries.length}${isPart ? ' or more' : ''}`;
  const more = isPart ? [`There is more: go on with offset ${nextOffset}.`] : [];
  return [`${printable(path)}: ${count} entries`, ...entries.map(line), ...more].join('\n');
}

const marks: Readonly<Record<EntryType, string>> = {
  directory: '/',
  file: '',
  link: ' (link)',
  other: ' (neither file nor folder)',
  unreachable: ' (no path can name it: its name is not UTF-8)',
};

function line({ name, type, size, modified, isUnread }: ListedEntry): string {
  const names = name.split('/');
  const indent = '  '.repeat(names.length - 1);
  const shown = indent + printable(names.at(-1) ?? '') + marks[type];
  const notes = [
    size === undefined ? '' : `${size} bytes`,
    modified ?? '',
    isUnread ? 'could not be read' : '',
  ].filter(note => note !== '');
  return notes.length === 0 ? shown : `${shown} (${notes.join(', ')})`;
}
