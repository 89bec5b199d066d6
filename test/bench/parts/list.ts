import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../bench.ts';
import { race } from '../race.ts';
import { againstAll, type Row } from '../row.ts';
import { timed, withContenders } from '../session.ts';

const sizes = [
  { entries: 20, theirs: 0.8 },
  { entries: 1000, theirs: 0.85 },
];

/** How long a folder takes to list. */
export const listPart: Part = {
  name: 'list',
  comparesRevisions: true,
  run: bench =>
    withContenders(bench, 'list', async (folder, sessions) => {
      const rows: Row[] = [];
      for (const { entries, theirs } of sizes) {
        const path = join(folder, `${entries}`);
        fill(path, entries);
        const sides = timed(sessions, ({ list }) => list(path));
        const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each: 2000 / entries };
        rows.push(...againstAll(`list ${entries} entries`, await race(sides, options), { theirs }));
      }
      return rows;
    }),
};

/** Makes a folder with so many entries; every tenth is a folder. */
function fill(path: string, entries: number): void {
  mkdirSync(path);
  for (let number = 0; number < entries; number++) {
    const name = join(path, `${number % 10 === 0 ? 'folder' : 'component'}-${number}`);
    if (number % 10 === 0) {
      mkdirSync(name);
    } else {
      writeFileSync(`${name}.ts`, `export const value = ${number};\n`);
    }
  }
}
