import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { type Contender, raw, theirs } from '../contenders.ts';
import { inMilliseconds } from '../figures.ts';
import { type GatewayWindow, openGatewayWindow } from '../gatewayWindow.ts';
import { type Race, race } from '../race.ts';
import type { Row, Target } from '../row.ts';
import { open, type Session, start, untilServed } from '../session.ts';
import { textOfSize } from '../trees.ts';
import { connectorMemoryRows } from './connectorMemory.ts';

const [filesystem] = theirs;

/** What it costs a client to have its server by way of a window: the connector and the gateway. */
export const gatewayPart: Part = {
  name: 'gateway',
  async run(bench) {
    const folder = join(bench.scratch.folder, 'gateway');
    const path = join(folder, 'small.ts');
    mkdirSync(folder);
    writeFileSync(path, textOfSize(1024));
    const contenders = [raw, filesystem].filter(contender => contender !== undefined);
    const launches = Object.fromEntries(contenders.map(({ name, launch }) => [name, launch]));
    const window = await openGatewayWindow(bench, { launches, folders: [folder] });
    const rows: Row[] = [];
    for (const contender of contenders) {
      const scene = { bench, contender, through: through(window, contender), folder, path };
      rows.push(...(await callRows(scene)), ...(await startRows(scene)));
    }
    rows.push(...(await connectorMemoryRows(bench, through(window, raw), folder)));
    await window.close();
    return rows;
  },
};

/** A server, and the same by way of the window. */
interface Scene {
  readonly bench: Bench;
  readonly contender: Contender;
  readonly through: Contender;
  readonly folder: string;
  /** The file that is read. */
  readonly path: string;
}

function through(window: GatewayWindow, contender: Contender): Contender {
  return { ...contender, launch: window.connector(contender.name) };
}

async function callRows({ bench, contender, through, folder, path }: Scene): Promise<Row[]> {
  const direct = await open(bench.scratch, contender, folder);
  const gateway = await open(bench.scratch, through, folder);
  const sessions = { direct, gateway };
  const one = await race(
    sides(sessions, session => session.time(session.contender.read(path))),
    { warmUp: 24, rounds: bench.isQuick ? 8 : 60, each: 50 },
  );
  const many = await race(
    sides(sessions, session => flood(session, path)),
    { warmUp: 4, rounds: bench.isQuick ? 4 : 40, each: 1 },
  );
  await Promise.all([direct.client.close(), gateway.client.close()]);
  const { name } = contender;
  const isRaw = contender === raw;
  return [
    row(`a call of 1 KB (95th): ${name}`, one, isRaw ? 'more' : 'ratio', {
      atMost: isRaw ? 0.4 : 1.6,
    }),
    rateRow(`${inFlight} calls at once: ${name}`, many, { atLeast: isRaw ? 0.5 : 0.7 }),
  ];
}

function sides<T>(
  of: { readonly direct: T; readonly gateway: T },
  sample: (one: T) => Promise<number>,
) {
  return Object.entries(of).map(([name, one]) => ({ name, sample: () => sample(one) }));
}

function row(what: string, times: Race, kind: 'more' | 'ratio', target?: Target): Row {
  const shown = (side: string) =>
    inMilliseconds(times.percentile(side, 50), times.percentile(side, 95));
  const [value, unit] =
    kind === 'ratio'
      ? ([times.ratio('gateway', 'direct'), '×'] as const)
      : ([times.difference('gateway', 'direct'), 'ms'] as const);
  return {
    what,
    against: 'direct',
    ours: shown('gateway'),
    theirs: shown('direct'),
    value,
    unit,
    ...(target && { target }),
  };
}

const inFlight = 64;
const callsAtOnce = 1024;

/** Many calls under way: how much of the direct throughput is left. */
function rateRow(what: string, times: Race, target: Target): Row {
  const perSecond = (side: string) =>
    `${Math.round((callsAtOnce * 1000) / times.percentile(side, 50))} calls/s`;
  return {
    what,
    against: 'direct',
    ours: perSecond('gateway'),
    theirs: perSecond('direct'),
    value: times.ratio('direct', 'gateway'),
    unit: '×',
    target,
  };
}

async function flood(session: Session, path: string): Promise<number> {
  const call = session.contender.read(path);
  let left = callsAtOnce;
  const callOn = async () => {
    while (left > 0) {
      left -= 1;
      await session.call(call);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, callOn));
  return performance.now() - started;
}

/** From the start of the process that the client starts. */
async function startRows({ bench, contender, through, folder }: Scene): Promise<Row[]> {
  const of = { direct: contender, gateway: through };
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 30, each: 1 };
  const timeOf = async (side: Contender, isServed: boolean) => {
    const started = performance.now();
    const client = start(bench.scratch, side, folder);
    const answer = await client.initialize();
    const last = isServed ? await untilServed(client, side.list(folder)) : answer;
    await client.close();
    return last.at - started;
  };
  const answered = await race(
    sides(of, side => timeOf(side, false)),
    options,
  );
  const served = await race(
    sides(of, side => timeOf(side, true)),
    options,
  );
  const { name } = contender;
  return [
    row(`start to first answer (95th): ${name}`, answered, 'more', { atMost: 100 }),
    // The first call is held until the server had the time to take its roots in.
    row(`start to first list of a folder (95th): ${name}`, served, 'more'),
  ];
}
