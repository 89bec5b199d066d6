import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Contender } from '../contenders.ts';
import { median } from '../figures.ts';
import { memoryOf } from '../processMemory.ts';
import type { Row, Target } from '../row.ts';
import { open } from '../session.ts';
import { textOfSize } from '../trees.ts';

const stages = ['handshake', 'calls', 'large'] as const;
type Stage = (typeof stages)[number];

/** How much a connector takes: one stands beside each server of each client, for as long as that runs. */
export async function connectorMemoryRows(
  bench: Bench,
  connector: Contender,
  folder: string,
): Promise<readonly Row[]> {
  if (process.platform !== 'linux') {
    return [
      { what: 'memory of the connector (known on Linux only)', value: undefined, unit: 'MB' },
    ];
  }
  const bare: number[] = [];
  const ours: Record<Stage, number>[] = [];
  for (let start = 0; start < (bench.isQuick ? 1 : 7); start++) {
    bare.push(await bareSize(bench));
    ours.push(await sizesOf(bench, connector, folder));
  }
  const none = median(bare);
  const at = (stage: Stage) => median(ours.map(sizes => sizes[stage]));
  const shown = (size: number) => `${size.toFixed(1)} MB`;
  const row = (what: string, stage: Stage, against: string, less: number, target: Target): Row => ({
    what: `memory of the connector ${what}`,
    against,
    ours: shown(at(stage)),
    theirs: shown(less),
    value: at(stage) - less,
    unit: 'MB',
    target,
  });
  const before = 'before it';
  return [
    row('after the handshake', 'handshake', 'bare Node', none, { atMost: 4 }),
    row('after 1,000 calls', 'calls', 'bare Node', none, { atMost: 10 }),
    row('after a result of 5 MB', 'large', before, at('calls'), { atMost: 2 }),
  ];
}

/** A process that does nothing but wait. */
async function bareSize({ scratch }: Bench): Promise<number> {
  const bare = scratch.owns(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']));
  await pause(settled);
  const size = sizeOf(bare.pid);
  bare.kill('SIGKILL');
  return size;
}

/** How long a process takes at most until it has given back what it does not need, in milliseconds. */
const settled = 1500;

async function sizesOf(
  bench: Bench,
  connector: Contender,
  folder: string,
): Promise<Record<Stage, number>> {
  const small = join(folder, 'small.ts');
  const large = join(folder, 'large.ts');
  // The server answers with it twice: as text and in a structure.
  writeFileSync(large, textOfSize(2.5 * 1024 * 1024));
  const { client, call, contender, pid } = await open(bench.scratch, connector, folder);
  await pause(settled);
  const handshake = sizeOf(pid);
  for (let count = 0; count < 1000; count++) {
    await call(contender.read(small));
  }
  await pause(settled);
  const calls = sizeOf(pid);
  await call(contender.read(large));
  await pause(settled);
  const sizes = { handshake, calls, large: sizeOf(pid) };
  await client.close();
  return sizes;
}

function sizeOf(pid: number | undefined): number {
  return memoryOf(pid ?? 0)?.now ?? Number.NaN;
}
