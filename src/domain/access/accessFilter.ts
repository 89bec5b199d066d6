import type { AccessRow, AccessTable } from './accessTable.ts';

/** Which servers and folders of a table are meant, as a person types it. Empty: all. */
export interface AccessFilter {
  readonly server: string;
  readonly folder: string;
}

export const wholeTable: AccessFilter = { server: '', folder: '' };

/**
 * The table with no more than the folders and servers that a filter means: those of exactly that name,
 * else those whose name, or whose place on disk, holds it, whatever its case is. A server comes with its
 * clients, and so does one of whose clients the name is.
 */
export function filtered(table: AccessTable, filter: AccessFilter): AccessTable {
  const folders = named(table.folders, filter.folder, ({ name, place }) => [name, place]);
  const groups = named(groupsOf(table.rows), filter.server, group => group.map(({ name }) => name));
  const isShown = table.folders.map(folder => folders.includes(folder));
  return {
    folders,
    rows: groups
      .flat()
      .map(row => ({ ...row, cells: row.cells.filter((_, index) => isShown[index]) })),
  };
}

/** A server or extension, and its clients after it. */
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
