import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { type Contender, contenders } from '../contenders.ts';
import { race } from '../race.ts';
import type { RawClient } from '../rawClient.ts';
import { againstAll } from '../row.ts';
import { start, untilServed } from '../session.ts';

/** From the start of the process to the first answer, and to the first file that is served. */
export const startPart: Part = {
  name: 'start',
  comparesRevisions: true,
  async run(bench) {
    const folder = join(bench.scratch.folder, 'start');
    const path = join(folder, 'a.txt');
    mkdirSync(folder);
    writeFileSync(path, 'text');
    const options = { warmUp: 2, rounds: bench.isQuick ? 6 : 24, each: 1 };
    const answered = await race(
      contenders(bench).map(contender =>
        side(bench, contender, folder, client => client.initialize()),
      ),
      options,
    );
    const served = await race(
      contenders(bench).map(contender =>
        side(bench, contender, folder, async client => {
          const sent = client.serveRoots();
          await client.initialize();
          await sent;
          return untilServed(client, contender.read(path));
        }),
      ),
      options,
    );
    return [
      ...againstAll('start to first answer', answered, {
        theirs: { atMost: 1 },
      }),
      ...againstAll('start to first file', served, { theirs: { atMost: 1 } }),
    ];
  },
};

type FirstAnswer = (client: RawClient) => Promise<{ readonly at: number }>;

function side(bench: Bench, contender: Contender, folder: string, firstAnswer: FirstAnswer) {
  return {
    ...contender,
    sample: async () => {
      const started = performance.now();
      const client = start(bench.scratch, contender, folder);
      const { at } = await firstAnswer(client);
      await client.close();
      return at - started;
    },
  };
}
