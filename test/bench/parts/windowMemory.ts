import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Part } from '../bench.ts';
import { raw } from '../contenders.ts';
import { inMegabytes, median } from '../figures.ts';
import { openGatewayWindow } from '../gatewayWindow.ts';
import { memoryOf } from '../processMemory.ts';
import type { Row, Target } from '../row.ts';
import { open } from '../session.ts';
import { textOfSize } from '../trees.ts';

const managed = 20;
const clients = 4;
const callsOfEach = 1000;
const stages = ['window', 'clients', 'busy', 'handshake', 'calls', 'large'] as const;
type Stage = (typeof stages)[number];
type Sizes = Record<Stage, number>;

/**
 * How much a window's process takes with servers of its own and with clients at its gateway, and a
 * connector: one stands beside each server of each client, for as long as that runs.
 */
export const windowMemoryPart: Part = {
  name: 'window',
  async run(bench) {
    if (process.platform !== 'linux') {
      const what = 'memory of a window and of the connector (known on Linux only)';
      return [{ what, value: undefined, unit: 'MB' }];
    }
    const folder = join(bench.scratch.folder, 'window');
    mkdirSync(folder);
    writeFileSync(join(folder, 'small.ts'), textOfSize(1024));
    // The server answers with it twice: as text and in a structure.
    writeFileSync(join(folder, 'large.ts'), textOfSize(2.5 * 1024 * 1024));
    const bare: number[] = [];
    const ours: Sizes[] = [];
    // The first host makes what the others find in their cache.
    await sizesIn(bench, folder);
    for (let start = 0; start < (bench.isQuick ? 1 : 5); start++) {
      bare.push(await bareSize(bench));
      ours.push(await sizesIn(bench, folder));
    }
    return rowsOf(median(bare), stage => median(ours.map(sizes => sizes[stage])));
  },
};

function rowsOf(bare: number, at: (stage: Stage) => number): readonly Row[] {
  const row = (
    what: string,
    stage: Stage,
    [against, less]: readonly [string, number],
    target?: Target,
  ): Row => ({
    what: `memory of ${what}`,
    against,
    ours: inMegabytes(at(stage)),
    theirs: inMegabytes(less),
    value: at(stage) - less,
    unit: 'MB',
    ...(target && { target }),
  });
  const none = ['bare Node', bare] as const;
  const before = ['before it', at('calls')] as const;
  const window = `a window with ${managed} servers`;
  return [
    row(window, 'window', none),
    row(`${window} and ${clients} clients at its gateway`, 'clients', none),
    row(`${window} and ${clients} clients, most in ${clients * callsOfEach} calls`, 'busy', none),
    row('the connector after the handshake', 'handshake', none, { atMost: 4 }),
    row(`the connector after ${callsOfEach} calls`, 'calls', none, { atMost: 10 }),
    row('the connector after a result of 5 MB', 'large', before, { atMost: 2 }),
  ];
}

/** A process that does nothing but wait. */
async function bareSize({ scratch }: Bench): Promise<number> {
  const bare = scratch.owns(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)']));
  await pause(settled);
  const { now } = sizeOf(bare.pid);
  bare.kill('SIGKILL');
  return now;
}

/** How long a process takes at most until it has given back what it does not need, in milliseconds. */
const settled = 1500;

async function sizesIn({ scratch, ours }: Bench, folder: string): Promise<Sizes> {
  const launches = { [raw.name]: raw.launch };
  const host = await openGatewayWindow(scratch, ours, { launches, folders: [folder], managed });
  await pause(settled);
  const window = sizeOf(host.pid).now;
  const sessions = await Promise.all(
    Array.from({ length: clients }, () => open(scratch, host.through(raw), folder)),
  );
  const [first] = sessions;
  await pause(settled);
  const connected = { clients: sizeOf(host.pid).now, handshake: sizeOf(first?.pid).now };
  const small = raw.read(join(folder, 'small.ts'));
  await Promise.all(
    sessions.map(async ({ call }) => {
      for (let count = 0; count < callsOfEach; count++) {
        await call(small);
      }
    }),
  );
  await pause(settled);
  const called = { busy: sizeOf(host.pid).peak, calls: sizeOf(first?.pid).now };
  await first?.call(raw.read(join(folder, 'large.ts')));
  await pause(settled);
  const large = sizeOf(first?.pid).now;
  await Promise.all(sessions.map(({ client }) => client.close()));
  await host.close();
  return { window, ...connected, ...called, large };
}

function sizeOf(pid: number | undefined) {
  return memoryOf(pid ?? 0) ?? { now: Number.NaN, peak: Number.NaN };
}
