import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench, Part } from '../bench.ts';
import { type Contender, ours, raw, theirs } from '../contenders.ts';
import { median } from '../figures.ts';
import { memoryOf } from '../processMemory.ts';
import type { Call } from '../rawClient.ts';
import type { Row } from '../row.ts';
import { findCall, searchCall, theirFindCall } from '../searchCalls.ts';
import { open } from '../session.ts';
import { textOfSize } from '../trees.ts';
import { ways } from './search.ts';

/** How much memory a server takes: at rest, and at most during large reads and searches. */
export const memoryPart: Part = {
  name: 'memory',
  async run(bench) {
    if (process.platform !== 'linux') {
      return [{ what: 'memory (known on Linux only)', value: undefined, unit: 'MB' }];
    }
    return [...(await idleRows(bench)), ...(await readRows(bench)), ...(await searchRows(bench))];
  },
};

async function idleRows(bench: Bench): Promise<readonly Row[]> {
  const idle = async (contender: Contender) => {
    const sizes: number[] = [];
    for (let start = 0; start < (bench.isQuick ? 1 : 5); start++) {
      sizes.push(await sizeAfter(bench, contender, bench.scratch.folder, { calls: [] }));
    }
    return median(sizes);
  };
  const mine = await idle(ours(bench.server));
  const rows: Row[] = [{ what: 'memory at rest', value: mine, unit: 'MB', target: { atMost: 65 } }];
  for (const other of [...theirs, raw]) {
    rows.push(compared('memory at rest', mine, other.name, await idle(other)));
  }
  return rows;
}

async function readRows(bench: Bench): Promise<readonly Row[]> {
  const folder = join(bench.scratch.folder, 'memory');
  const path = join(folder, 'large.ts');
  mkdirSync(folder);
  writeFileSync(path, textOfSize(1024 * 1024));
  const after = (contender: Contender) => {
    const calls = Array.from({ length: 200 }, () => contender.read(path));
    return sizeAfter(bench, contender, folder, { calls, isPeak: true });
  };
  const mine = await after(ours(bench.server));
  const rows: Row[] = [];
  for (const other of theirs) {
    rows.push(compared('most memory in 200 reads of 1 MB', mine, other.name, await after(other)));
  }
  return rows;
}

async function searchRows(bench: Bench): Promise<readonly Row[]> {
  const tree = bench.tree(100_000);
  const peak = (contender: Contender, call: Call) =>
    sizeAfter(bench, contender, tree.folder, { calls: [call, call, call], isPeak: true });
  const rows: Row[] = [];
  for (const call of [findCall(tree), searchCall(tree)]) {
    for (const { name, args } of ways) {
      const size = await peak(ours(bench.server, args(bench.ripgrep)), call);
      const what = `most memory in ${call.name}, ${name}`;
      rows.push({ what, value: size, unit: 'MB', target: { atMost: 110 } });
    }
  }
  for (const other of bench.isQuick ? [] : theirs) {
    const size = await peak(other, theirFindCall(tree));
    rows.push({
      what: 'most memory in search_files',
      against: other.name,
      value: size,
      unit: 'MB',
    });
  }
  return rows;
}

interface Work {
  readonly calls: readonly Call[];
  readonly isPeak?: boolean;
}

/** `NaN` when the server has no such tool. */
async function sizeAfter(
  bench: Bench,
  contender: Contender,
  folder: string,
  { calls, isPeak = false }: Work,
): Promise<number> {
  const session = await open(bench.scratch, contender, folder);
  const isThere = calls.every(({ name }) => session.has(name));
  for (const call of isThere ? calls : []) {
    await session.call(call);
  }
  await setTimeout(isPeak ? 0 : 1000);
  const memory = memoryOf(session.pid);
  await session.client.close();
  return (isThere && (isPeak ? memory?.peak : memory?.now)) || Number.NaN;
}

function compared(what: string, mine: number, against: string, other: number): Row {
  const shown = (size: number) => `${size.toFixed(1)} MB`;
  const ratio = mine / other;
  return { what, against, ours: shown(mine), theirs: shown(other), value: ratio, unit: '×' };
}
