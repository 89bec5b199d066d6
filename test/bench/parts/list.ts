import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../bench.ts';
import { contenders } from '../contenders.ts';
import { race } from '../race.ts';
import { againstAll, type Row } from '../row.ts';
import { open } from '../session.ts';

const sizes = [20, 1000];

/** How long a folder takes to list. */
export const listPart: Part = {
  name: 'list',
  comparesRevisions: true,
  async run(bench) {
    const folder = join(bench.scratch.folder, 'list');
    mkdirSync(folder);
    const sessions = await Promise.all(
      contenders(bench).map(each => open(bench.scratch, each, folder)),
    );
    const rows: Row[] = [];
    for (const entries of sizes) {
      const path = join(folder, `${entries}`);
      fill(path, entries);
      const sides = sessions.map(({ contender, time }) => ({
        ...contender,
        sample: () => time(contender.list(path)),
      }));
      const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each: 2000 / entries };
      const terms = { theirs: { atMost: 1 } };
      rows.push(...againstAll(`list ${entries} entries`, await race(sides, options), terms));
    }
    await Promise.all(sessions.map(({ client }) => client.close()));
    return rows;
  },
};

/** Makes a folder with so many entries, of which every tenth is a folder. */
export function fill(path: string, entries: number): void {
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
