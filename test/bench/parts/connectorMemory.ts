import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Part } from '../bench.ts';
import { raw } from '../contenders.ts';
import { inMegabytes, median } from '../figures.ts';
import { openGatewayWindow } from '../gatewayWindow.ts';
import { memoryOf } from '../processMemory.ts';
import type { Row } from '../row.ts';
import { open } from '../session.ts';
import { textOfSize } from '../trees.ts';

const calls = 1000;
type Sizes = Record<'bare' | 'handshake' | 'calls' | 'large', number>;

/** How much a connector takes: one stands beside each server of each client, for as long as that runs. */
export const connectorMemoryPart: Part = {
  name: 'connector',
  async run(bench) {
    if (process.platform !== 'linux') {
      const what = 'memory of the connector (known on Linux only)';
      return [{ what, value: undefined, unit: 'MB' }];
    }
    const folder = join(bench.scratch.folder, 'connector');
    mkdirSync(folder);
    writeFileSync(join(folder, 'small.ts'), textOfSize(1024));
    // The server answers with it twice: as text and in a structure.
    writeFileSync(join(folder, 'large.ts'), textOfSize(2.5 * 1024 * 1024));
    const sizes: Sizes[] = [];
    for (let start = 0; start < (bench.isQuick ? 1 : 5); start++) {
      sizes.push(await sizesIn(bench, folder));
    }
    const row = (what: string, now: keyof Sizes, before: keyof Sizes, atMost: number): Row => {
      const [ours, theirs] = [now, before].map(stage => median(sizes.map(each => each[stage])));
      return {
        what: `memory of the connector after ${what}`,
        against: before === 'bare' ? 'bare Node' : 'before it',
        ours: inMegabytes(ours!),
        theirs: inMegabytes(theirs!),
        value: ours! - theirs!,
        unit: 'MB',
        target: { atMost },
      };
    };
    return [
      row('the handshake', 'handshake', 'bare', 4),
      row(`${calls} calls`, 'calls', 'bare', 10),
      row('a result of 5 MB', 'large', 'calls', 2),
    ];
  },
};

async function sizesIn({ scratch, ours }: Bench, folder: string): Promise<Sizes> {
  const idle = scratch.owns(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']));
  const bare = await settledSize(idle.pid);
  idle.kill('SIGKILL');
  const launches = { [raw.name]: raw.launch };
  const window = await openGatewayWindow(scratch, ours, { launches, folders: [folder] });
  const { call, client, pid } = await open(scratch, window.through(raw), folder);
  const handshake = await settledSize(pid);
  for (let count = 0; count < calls; count++) {
    await call(raw.read(join(folder, 'small.ts')));
  }
  const called = await settledSize(pid);
  await call(raw.read(join(folder, 'large.ts')));
  const large = await settledSize(pid);
  await client.close();
  await window.close();
  return { bare, handshake, calls: called, large };
}

/** How much a process takes once it has given back what it does not need. */
async function settledSize(pid = 0): Promise<number> {
  await pause(1500);
  return memoryOf(pid)?.now ?? Number.NaN;
}
