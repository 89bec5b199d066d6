import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, textOfSize } from '../bench.ts';
import { race } from '../race.ts';
import { againstAll, type Row } from '../row.ts';
import { timed, withContenders } from '../session.ts';

const files = [
  { what: 'read 1 KB', size: 1024, each: 100, theirs: 0.65 },
  { what: 'read 1 MB', size: 1024 * 1024, each: 5, theirs: 0.8 },
];

/** How long a file takes to read. */
export const readPart: Part = {
  name: 'read',
  comparesRevisions: true,
  run: bench =>
    withContenders(bench, 'read', async (folder, sessions) => {
      const rows: Row[] = [];
      for (const { what, size, each, theirs } of files) {
        const path = join(folder, `${size}.ts`);
        const text = textOfSize(size);
        writeFileSync(path, text);
        for (const { contender, call } of sessions) {
          const { result } = await call(contender.read(path));
          if (result.content?.[0]?.text !== text) {
            throw new Error(`${contender.name} reads another text than there is in ${path}.`);
          }
        }
        const sides = timed(sessions, ({ read }) => read(path));
        const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each };
        rows.push(...againstAll(what, await race(sides, options), { theirs }));
      }
      return rows;
    }),
};
