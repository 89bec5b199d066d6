import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Part } from '../bench.ts';
import { bundledServers, type Contender, contenders, theirs } from '../contenders.ts';
import { inMegabytes, median } from '../figures.ts';
import { memoryOf } from '../processMemory.ts';
import type { Call } from '../rawClient.ts';
import { byRole, type Row } from '../row.ts';
import { findCall, searchCall, theirFindCall } from '../searches.ts';
import { open } from '../session.ts';
import { textOfSize } from '../trees.ts';
import { fill } from './list.ts';

/** How much memory a server takes: at rest, and at most during what the other parts have it do. */
export const memoryPart: Part = {
  name: 'memory',
  comparesRevisions: true,
  async run(bench) {
    if (process.platform !== 'linux') {
      return [{ what: 'memory (known on Linux only)', value: undefined, unit: 'MB' }];
    }
    const rows: Row[] = [];
    for (const work of worksOf(bench)) {
      rows.push(...(await rowsOf(bench, work)));
    }
    return rows;
  },
};

/** What servers do before they are looked at. */
interface Work {
  readonly what: string;
  readonly folder: string;
  readonly contenders: readonly Contender[];
  /** Left out: nothing, and what counts is how much they take then. */
  readonly calls?: (contender: Contender) => readonly Call[];
}

function worksOf(bench: Bench): readonly Work[] {
  const folder = join(bench.scratch.folder, 'memory');
  const small = join(folder, 'small.ts');
  const large = join(folder, 'large.ts');
  const listed = join(folder, 'listed');
  mkdirSync(folder);
  writeFileSync(small, textOfSize(1024));
  writeFileSync(large, textOfSize(1024 * 1024));
  fill(listed, 1000);
  const tree = bench.tree(100_000);
  const others = bench.before ? [] : theirs;
  const servers = [...bundledServers(bench), ...others];
  return [
    { what: 'memory at rest', folder, contenders: contenders(bench) },
    {
      ...{ what: 'most memory in 2,000 reads of 1 KB', folder, contenders: servers },
      calls: ({ read }) => Array.from({ length: 2000 }, () => read(small)),
    },
    {
      ...{ what: 'most memory in 200 reads of 1 MB', folder, contenders: servers },
      calls: ({ read }) => Array.from({ length: 200 }, () => read(large)),
    },
    {
      ...{ what: 'most memory in 100 lists of 1,000', folder, contenders: servers },
      calls: ({ list }) => Array.from({ length: 100 }, () => list(listed)),
    },
    ...[findCall(tree), searchCall(tree)].map(call => ({
      what: `most memory in ${call.name}`,
      folder: tree.folder,
      // They have nothing to search text with, and take long to find files.
      contenders: [
        ...bundledServers(bench),
        ...(call.name === 'find-files' && !bench.isQuick ? others : []),
      ],
      calls: ({ role }: Contender) =>
        role === 'theirs' ? [theirFindCall(tree)] : [call, call, call],
    })),
  ];
}

async function rowsOf(bench: Bench, work: Work): Promise<readonly Row[]> {
  const { what } = work;
  const sizes: number[][] = work.contenders.map(() => []);
  for (let start = 0; start < (bench.isQuick || work.calls ? 1 : 5); start++) {
    for (const [index, contender] of work.contenders.entries()) {
      sizes[index]?.push(await sizeAfter(bench, contender, work));
    }
  }
  const [mine = Number.NaN, ...others] = sizes.map(median);
  const ours = inMegabytes(mine);
  const compared = others.map((other, index): Row => {
    const { name, role = 'before' } = work.contenders[index + 1]!;
    const figures = { ours, theirs: inMegabytes(other), value: mine / other, unit: '×' as const };
    return { what, against: name, ...figures, ...byRole(role, { theirs: { atMost: 1 } }) };
  });
  return bench.before || others.length > 0 ? compared : [{ what, value: mine, unit: 'MB' }];
}

async function sizeAfter(bench: Bench, contender: Contender, { folder, calls }: Work) {
  const session = await open(bench.scratch, contender, folder);
  for (const call of calls?.(contender) ?? []) {
    await session.call(call);
  }
  await pause(calls ? 0 : 1000);
  const memory = memoryOf(session.pid);
  await session.client.close();
  return (calls ? memory?.peak : memory?.now) ?? Number.NaN;
}
