import { join } from 'node:path';
import { rootOf } from '../../support/bundledServer.ts';
import { startHub } from '../../support/hub.ts';
import { openSdk2 } from '../../support/hubClients.ts';
import type { Era } from '../../support/wire.ts';
import type { Bench, Part } from '../bench.ts';
import {
  configOf,
  direct,
  endsWithBench,
  filesystemChild,
  type HubChild,
  type HubSide,
  notOfATest,
  type Playground,
  playground,
  rawChild,
  throughHub,
} from '../hubSides.ts';
import { built, type Product } from '../product.ts';
import { callsAtOnce, inFlight, race, type Side, timeOf, timeOfMany } from '../race.ts';
import { against, againstAll, type Row, type Terms } from '../row.ts';

/** What it costs to have the hub between a client and a server. */
export const hubPart: Part = {
  name: 'hub',
  comparesRevisions: true,
  async run(bench) {
    const place = playground(bench);
    const rows: Row[] = [];
    for (const scene of scenes) {
      rows.push(...(await rowsOf(bench, place, scene)));
    }
    return [...rows, ...(await startRows(bench, place))];
  },
};

/** How server-filesystem is called, and what is promised of one call. */
interface Scene {
  /** Of the client. */
  readonly era: Era;
  readonly one: Terms;
  /** Whether the hub is tried with an audit, too. */
  readonly isAudited?: boolean;
}

// It knows the older revisions only, and is called in those, whatever the client speaks.
const scenes: readonly Scene[] = [
  { era: 'legacy', one: { floor: { atMost: 1.8 } }, isAudited: true },
  { era: 'modern', one: { floor: { atMost: 2 } } },
];
const atOnce: Terms = { floor: { atLeast: 0.65 } };

const ways = ['call-tool', '--expose tools'] as const;
const audited = 'call-tool --audit';

async function rowsOf(bench: Bench, place: Playground, scene: Scene): Promise<readonly Row[]> {
  const { era, one, isAudited = false } = scene;
  const child = filesystemChild;
  const { scratch, ours, before } = bench;
  const through = (name: string, product: Product, more: object) =>
    throughHub(bench, child, place, { name, product, era, ...more });
  const throughBoth = (product: Product, suffix = '') =>
    ways.map(way => through(`${way}${suffix}`, product, { isExposed: way === '--expose tools' }));
  const audit = { args: ['--audit', join(scratch.folder, 'audit.jsonl')] };
  const sides = await Promise.all([
    ...throughBoth(ours),
    ...(before ? throughBoth(before, `, ${before.name}`) : [direct(bench, child, place)]),
    ...(isAudited && !before ? [through(audited, ours, audit)] : []),
  ]);
  const what = `${child.name}, ${era} client`;
  const rows = [
    ...(await callRows(bench, what, sides, one)),
    ...(await atOnceRows(bench, what, sides)),
  ];
  await Promise.all(sides.map(({ close }) => close()));
  return rows;
}

/** With whom each way is compared: its predecessor, or the child alone. */
function otherOf({ before }: Bench, way: string): string {
  return before ? `${way}, ${before.name}` : 'direct';
}

/** One call after the other. */
async function callRows(bench: Bench, what: string, sides: readonly HubSide[], terms: Terms) {
  // The hub is more code than a child, which takes longer until all of it is compiled.
  const options = { warmUp: 24, rounds: bench.isQuick ? 8 : 40, each: 50 };
  const timed = sides.map(({ read, ...side }) => ({ ...side, sample: () => timeOf(read) }));
  const times = await race(timed, options);
  const rows = ways.map(way =>
    against(`${way}: ${what}`, times, [way, otherOf(bench, way)], terms),
  );
  return sides.some(({ name }) => name === audited)
    ? [...rows, against(`${audited}: ${what}`, times, [audited, 'call-tool'])]
    : rows;
}

/** Many calls under way: how much of the direct throughput is left. */
async function atOnceRows(bench: Bench, what: string, sides: readonly HubSide[]) {
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 16, each: 1 };
  const timed = sides.map(({ read, ...side }) => ({ ...side, sample: () => timeOfMany(read) }));
  const times = await race(timed, options);
  return ways.map(way => {
    const other = otherOf(bench, way);
    const row = against(
      `${callsAtOnce} calls, ${inFlight} at once, ${way}: ${what}`,
      times,
      [way, other],
      atOnce,
    );
    return bench.before ? row : { ...row, value: times.ratio(other, way) };
  });
}

/** From the start of the hub to what a client wants to know first. */
async function startRows(bench: Bench, place: Playground): Promise<readonly Row[]> {
  const roots = () => place.folders.map(folder => rootOf(folder));
  const hub = (product: Product, child: HubChild) => () =>
    startHub(notOfATest, {
      era: 'legacy',
      main: built(product, 'server.js'),
      config: configOf(child),
      roots: place.folders,
    });
  const server = { command: process.execPath, args: [built(bench.ours, 'server.js')], roots };
  const rows = await raceStarts(bench, {
    what: 'start of the hub to its list of servers',
    sample: product => timeOfStart(bench, hub(product, rawChild), started => started.listServers()),
    floor: 'start of the server without it to its roots',
    least: () => {
      const open = () => openSdk2('legacy', server);
      return timeOfStart(bench, open, started => started.call('get-roots'));
    },
  });
  for (const child of [rawChild, filesystemChild]) {
    const call = { path: place.path };
    const ofChild = await raceStarts(bench, {
      what: `start of the hub to its first call: ${child.name}`,
      sample: product =>
        timeOfStart(bench, hub(product, child), started =>
          started.call('child', child.reads, call),
        ),
      // One after the other, because the hub starts a server when it knows for which roots.
      floor: 'starts of the hub and of the server',
      least: async () =>
        (await timeOfStart(bench, hub(bench.ours, child))) +
        (await timeOfStart(bench, () => openSdk2('legacy', { ...child.launch, roots }))),
      terms: {
        // Its first call waits for ten pings of the server, with pauses, for its roots.
        floor: { atMost: 2 },
      },
    });
    rows.push(...ofChild);
  }
  return rows;
}

interface StartRace {
  readonly what: string;
  readonly sample: (product: Product) => Promise<number>;
  /** What `least` does, which ours is compared with where there is no other revision. */
  readonly floor: string;
  readonly least: () => Promise<number>;
  readonly terms?: Terms;
}

async function raceStarts(
  { ours, before, isQuick }: Bench,
  { what, sample, floor, least, terms }: StartRace,
): Promise<Row[]> {
  const other: Side = before
    ? { name: before.name, role: 'before', sample: () => sample(before) }
    : { name: floor, role: 'floor', sample: least };
  const sides = [{ name: ours.name, sample: () => sample(ours) }, other];
  const times = await race(sides, { warmUp: 2, rounds: isQuick ? 4 : 20, each: 1 });
  return [...againstAll(what, times, terms)];
}

/** Until it is connected, or until what is asked of it then is answered. */
async function timeOfStart<C extends { readonly pid: number; close(): Promise<void> }>(
  bench: Bench,
  open: () => Promise<C>,
  ask: (client: C) => Promise<unknown> = async () => {},
): Promise<number> {
  const begun = performance.now();
  const client = await open();
  endsWithBench(bench, client.pid);
  await ask(client);
  const time = performance.now() - begun;
  await client.close();
  return time;
}
