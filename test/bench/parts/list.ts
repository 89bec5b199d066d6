import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../bench.ts';
import { ours, raw, theirs } from '../contenders.ts';
import { race } from '../race.ts';
import type { Row } from '../row.ts';
import { againstAll } from '../rows.ts';
import { open } from '../session.ts';

/** How long a folder takes to list. */
export const listPart: Part = {
  name: 'list',
  async run(bench) {
    const folder = join(bench.scratch.folder, 'list');
    const contenders = [ours(bench.server), ...theirs, raw];
    mkdirSync(folder);
    const sessions = await Promise.all(contenders.map(each => open(bench.scratch, each, folder)));
    const rows: Row[] = [];
    for (const entries of [20, 1000]) {
      const path = join(folder, `${entries}`);
      fill(path, entries);
      const sides = sessions.map(({ contender, time }) => ({
        name: contender.name,
        sample: () => time(contender.list(path)),
      }));
      const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each: 2000 / entries };
      const listed = await race(sides, options);
      rows.push(...againstAll(`list ${entries} entries`, listed, { atMost: 1 }));
    }
    await Promise.all(sessions.map(({ client }) => client.close()));
    return rows;
  },
};

/** Every tenth entry is a folder. */
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
