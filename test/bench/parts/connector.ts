import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Part, textOfSize } from '../bench.ts';
import { filesystem } from '../contenders.ts';
import { openGatewayWindow } from '../gatewayWindow.ts';
import { median } from '../race.ts';
import type { Row } from '../row.ts';
import { open } from '../session.ts';

const calls = 1000;

/** How much memory a connector takes: one stands beside each server of each client while that runs. */
export const connectorPart: Part = {
  name: 'connector',
  async run(bench) {
    if (process.platform !== 'linux') {
      const what = 'memory of the connector (known on Linux only)';
      return [{ what, value: undefined, unit: 'MB' }];
    }
    const sizes: Sizes[] = [];
    for (let start = 0; start < (bench.isQuick ? 1 : 5); start++) {
      sizes.push(await sizesIn(bench));
    }
    const bare = median(sizes.map(each => each.bare));
    const row = (what: string, stage: keyof Sizes, target: number): Row => {
      const amount = median(sizes.map(each => each[stage]));
      return {
        what: `memory of the connector ${what}`,
        against: 'bare Node',
        ours: { amount, unit: 'MB' },
        theirs: { amount: bare, unit: 'MB' },
        value: amount - bare,
        unit: 'MB',
        target,
      };
    };
    return [row('at rest', 'rest', 6), row(`after ${calls} calls`, 'called', 10)];
  },
};

/** In MB. */
type Sizes = Record<'bare' | 'rest' | 'called', number>;

async function sizesIn({ scratch, ours }: Bench): Promise<Sizes> {
  const idle = scratch.owns(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']));
  const bare = await settledSize(idle.pid);
  idle.kill('SIGKILL');
  const folder = join(scratch.folder, 'connector');
  const path = join(folder, 'small.ts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, textOfSize(1024));
  const server = filesystem();
  const launches = { [server.name]: server.launch };
  const window = await openGatewayWindow(scratch, ours, { launches, folders: [folder] });
  const { call, client } = await open(scratch, window.through(server), folder);
  const rest = await settledSize(client.process.pid);
  for (let count = 0; count < calls; count++) {
    await call(server.read(path));
  }
  const called = await settledSize(client.process.pid);
  await client.close();
  await window.close();
  return { bare, rest, called };
}

/** The memory of a process after it has returned all that it does not need. */
async function settledSize(pid = 0): Promise<number> {
  await pause(1500);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
