import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { bundledServer, raw } from '../contenders.ts';
import { inMilliseconds, percentile } from '../figures.ts';
import type { Call } from '../rawClient.ts';
import type { Row } from '../row.ts';
import { findCall, searchCall } from '../searches.ts';
import { open, type Session } from '../session.ts';
import { textOfSize } from '../trees.ts';

const target = { atMost: 10 };

/**
 * How long another call takes while a search is under way. A process that does nothing else is
 * asked in turns with it: what both have to wait for is the machine.
 */
export const meanwhilePart: Part = {
  name: 'meanwhile',
  async run(bench) {
    const tree = bench.tree(100_000);
    const path = join(bench.scratch.folder, '100000', 'part-0', 'meanwhile.md');
    writeFileSync(path, textOfSize(1024));
    const idle = await open(bench.scratch, raw, tree.folder);
    const rows: Row[] = [];
    const busy = await open(bench.scratch, bundledServer(bench.ours), tree.folder);
    for (const search of [findCall(tree), searchCall(tree)]) {
      const what = `read 1 KB during ${search.name}`;
      rows.push(await rowFor(bench, what, { busy, idle, search, path }));
    }
    await busy.client.close();
    await idle.client.close();
    return rows;
  },
};

interface Scene {
  readonly busy: Session;
  readonly idle: Session;
  readonly search: Call;
  readonly path: string;
}

interface Times {
  readonly busy: number[];
  readonly idle: number[];
}

async function rowFor(bench: Bench, what: string, scene: Scene): Promise<Row> {
  const { idle } = scene;
  const times: Times = { busy: [], idle: [] };
  while (times.busy.length < (bench.isQuick ? 200 : 2000)) {
    await readDuring(scene, times);
  }
  const figure = (each: readonly number[]) =>
    inMilliseconds(percentile(each, 50), percentile(each, 99));
  return {
    what: `${what}, p99`,
    against: idle.contender.name,
    ours: figure(times.busy),
    theirs: figure(times.idle),
    value: percentile(times.busy, 99),
    unit: 'ms',
    target,
  };
}

async function readDuring({ busy, idle, search, path }: Scene, times: Times): Promise<void> {
  let isOver = false;
  const searched = busy.call(search).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.busy.push(await busy.time(busy.contender.read(path)));
    times.idle.push(await idle.time(idle.contender.read(path)));
  }
  await searched;
}
