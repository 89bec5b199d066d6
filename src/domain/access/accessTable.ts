import type { FolderWord } from '../consent/statusWords.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** The table of who sees which folder, for colleagues or auditors. Its texts are safe to show. */
export interface AccessTable {
  readonly folders: readonly FolderColumn[];
  readonly rows: readonly AccessRow[];
}

/** A folder that some server may see, or a folder that left the window after it was shared. */
export interface FolderColumn {
  /** The folder's URI. */
  readonly id: string;
  /** Unique in the table. */
  readonly name: string;
  readonly place: string;
}

/** A server that may see folders, or a client of the server above. */
export interface AccessRow {
  readonly id: string;
  readonly kind: 'server' | 'client';
  /** A name that is unique in the table, except among clients of different servers. */
  readonly name: string;
  /** The state, and whether the system confines the server to its folders. */
  readonly about: readonly string[];
  /** One cell for each folder, in the order of the folders. */
  readonly cells: readonly AccessCell[];
}

/** The status of one folder with a server or a client. */
export interface AccessCell {
  readonly word: FolderWord;
  readonly words: readonly Sentence[];
  /** What the status means, and since when it holds. */
  readonly title?: string;
  /** True if the user's answer can change the status. */
  readonly isAnswerable?: true;
  /** The current mode; left out when no answer can change the mode. */
  readonly mode?: 'read-only' | 'read-write';
}

export type AccessRequest =
  | AccessChange
  /** The text for the clipboard. */
  | { readonly kind: 'copy'; readonly text: string };

export interface AccessChange {
  readonly kind: 'set';
  /** The id of the server. */
  readonly viewer: string;
  /** The URI of the folder. */
  readonly folder: string;
  readonly isAllowed: boolean;
  /** The new mode; left out: the mode stays. */
  readonly isReadOnly?: boolean;
}

/** Returns the request in a page's message, if any. Checks only the form of the request. */
export function readAccessRequest(message: unknown): AccessRequest | undefined {
  const { kind, viewer, folder, isAllowed, isReadOnly, text } = Object(message);
  switch (kind) {
    case 'set':
      return isText(viewer) &&
        isText(folder) &&
        typeof isAllowed === 'boolean' &&
        (isReadOnly === undefined || typeof isReadOnly === 'boolean')
        ? { kind, viewer, folder, isAllowed, ...(isReadOnly !== undefined && { isReadOnly }) }
        : undefined;
    case 'copy':
      return isText(text) ? { kind, text } : undefined;
    default:
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * The table with only the servers and folders whose name or place contains the text, in any letter
 * case. If a name equals the text, only equal names match. A server also matches by its clients'
 * names, and keeps its clients. If only folders match, all servers stay, and vice versa.
 */
export function filtered(table: AccessTable, text: string): AccessTable {
  const folders = named(table.folders, text, ({ name, place }) => [name, place]);
  const groups = named(groupsOf(table.rows), text, group => group.map(({ name }) => name));
  const isShown = table.folders.map(
    folder => folders.includes(folder) || (folders.length === 0 && groups.length > 0),
  );
  const rows = groups.length === 0 && folders.length > 0 ? table.rows : groups.flat();
  return {
    folders: table.folders.filter((_, at) => isShown[at]),
    rows: rows.map(row => ({ ...row, cells: row.cells.filter((_, at) => isShown[at]) })),
  };
}

function groupsOf(rows: readonly AccessRow[]): readonly (readonly AccessRow[])[] {
  const groups: AccessRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (row.kind === 'client' && group) {
      group.push(row);
    } else {
      groups.push([row]);
    }
  }
  return groups;
}

function named<T>(
  all: readonly T[],
  wanted: string,
  namesOf: (one: T) => readonly string[],
): readonly T[] {
  const text = wanted.trim().toLowerCase();
  const matching = (isMatch: (name: string) => boolean) =>
    all.filter(one => namesOf(one).some(name => isMatch(name.toLowerCase())));
  const exact = matching(name => name === text);
  return exact.length > 0 ? exact : matching(name => name.includes(text));
}

/** A table as text, with tabs between columns, to paste into a sheet or a message. */
export function accessText(
  { folders, rows }: AccessTable,
  localized: (text: Sentence) => string,
): string {
  const head = [
    localized(sentence('Server')),
    localized(sentence('State')),
    ...folders.map(({ name, place }) => `${name} (${place})`),
  ];
  const lines = rows.map(({ name, about, cells }) => [
    name,
    about.join(', '),
    ...cells.map(({ words }) => words.map(localized).join(', ')),
  ]);
  return [head, ...lines].map(line => `${line.join('\t')}\n`).join('');
}
