import type { AccessRow, AccessTable } from './accessTable.ts';

/**
 * The table with no more than the servers and the folders whose name (or place on disk) holds the
 * text, whatever its case is; those of exactly that name go first. Where only servers or only folders
 * do, it has all of the others. A server comes with its clients, and so does one of whose clients the
 * name is.
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

/** A server, and its clients after it. */
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
