import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { type Contender, raw, theirs } from '../contenders.ts';
import { openGatewayWindow } from '../gatewayWindow.ts';
import { callsAtOnce, inFlight, type Race, race, timeOfMany } from '../race.ts';
import { againstAll, type Row, type Terms } from '../row.ts';
import { open, start, untilServed } from '../session.ts';
import { textOfSize } from '../trees.ts';

/** What it costs a client to have its server by way of a window: the connector and the gateway. */
export const gatewayPart: Part = {
  name: 'gateway',
  comparesRevisions: true,
  async run(bench) {
    const { scratch, ours, before } = bench;
    const folder = join(scratch.folder, 'gateway');
    const path = join(folder, 'small.ts');
    mkdirSync(folder);
    writeFileSync(path, textOfSize(1024));
    const servers = [raw, ...theirs.slice(0, 1)];
    const launches = Object.fromEntries(servers.map(({ name, launch }) => [name, launch]));
    const windows = await Promise.all(
      (before ? [ours, before] : [ours]).map(product =>
        openGatewayWindow(scratch, product, { launches, folders: [folder] }),
      ),
    );
    const rows: Row[] = [];
    for (const server of servers) {
      const through = windows.map(window => window.through(server));
      const direct: Contender = { ...server, name: 'direct', role: 'floor' };
      const sides = before ? through : [...through, direct];
      const scene = { what: server.name, isRaw: server === raw, sides, folder, path };
      rows.push(...(await callRows(bench, scene)), ...(await startRows(bench, scene)));
    }
    await Promise.all(windows.map(window => window.close()));
    return rows;
  },
};

/** A server by way of the window or windows, and perhaps the same without. */
interface Scene {
  readonly what: string;
  readonly isRaw: boolean;
  readonly sides: readonly Contender[];
  readonly folder: string;
  /** The file that is read. */
  readonly path: string;
}

async function callRows(bench: Bench, { what, isRaw, sides, folder, path }: Scene) {
  const sessions = await Promise.all(sides.map(side => open(bench.scratch, side, folder)));
  const one = await race(
    sessions.map(({ contender, time }) => ({
      ...contender,
      sample: () => time(contender.read(path)),
    })),
    { warmUp: 24, rounds: bench.isQuick ? 8 : 60, each: 50 },
  );
  const many = await race(
    sessions.map(({ contender, call }) => ({
      ...contender,
      sample: () => timeOfMany(() => call(contender.read(path))),
    })),
    { warmUp: 4, rounds: bench.isQuick ? 4 : 40, each: 1 },
  );
  await Promise.all(sessions.map(({ client }) => client.close()));
  const through = 'connector and gateway';
  const atOnce = `${callsAtOnce} calls, ${inFlight} at once, ${through}: ${what}`;
  return [
    ...(isRaw
      ? differences(`call by ${through}: ${what}`, one, { floor: { atMost: 0.4 } })
      : againstAll(`call by ${through}: ${what}`, one, {
          floor: { atMost: 1.5 },
        })),
    ...againstAll(atOnce, many, {
      floor: { atLeast: isRaw ? 0.5 : 0.85 },
    }).map(row =>
      // How much of the direct throughput is left.
      row.role === 'floor' ? { ...row, value: many.ratio('direct', 'ours') } : row,
    ),
  ];
}

/** In milliseconds: as a ratio to next to nothing, it would say nothing. */
function differences(what: string, times: Race, terms?: Terms): readonly Row[] {
  return againstAll(what, times, terms).map(row =>
    row.role === 'floor'
      ? { ...row, value: times.difference('ours', 'direct'), unit: 'ms' as const }
      : row,
  );
}

/** From the start of the process that the client starts. */
async function startRows(bench: Bench, { what, sides, folder }: Scene): Promise<Row[]> {
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 20, each: 1 };
  const timeOfStart = async (side: Contender, isServed: boolean) => {
    const started = performance.now();
    const client = start(bench.scratch, side, folder);
    const answer = await client.initialize();
    const last = isServed ? await untilServed(client, side.list(folder)) : answer;
    await client.close();
    return last.at - started;
  };
  const raceOf = (isServed: boolean) =>
    race(
      sides.map(side => ({ ...side, sample: () => timeOfStart(side, isServed) })),
      options,
    );
  return [
    ...differences(`start of the connector to first answer: ${what}`, await raceOf(false), {
      floor: { atMost: 100 },
    }),
    // The first call is held until the server had the time to take its roots in.
    ...differences(`start of the connector to first list of a folder: ${what}`, await raceOf(true)),
  ];
}
