import { join } from 'node:path';
import type { Era } from '../../support/wire.ts';
import type { Bench, Part } from '../bench.ts';
import { inMilliseconds } from '../figures.ts';
import {
  askingRawChild,
  filesystemChild,
  type HubChild,
  newestRawChild,
  rawChild,
} from '../hubChildren.ts';
import { direct, type HubSide, type Playground, playground, throughHub } from '../hubSides.ts';
import { race } from '../race.ts';
import type { Row, Target } from '../row.ts';
import { guardRows } from './hubGuard.ts';
import { hubStartRows } from './hubStart.ts';

/** What it costs to have the hub between a client and a server. */
export const hubPart: Part = {
  name: 'hub',
  async run(bench) {
    const place = playground(bench);
    const rows: Row[] = [];
    for (const [child, era] of scenes) {
      const what = `${child.name}, ${era} client`;
      const sides = await openSides(bench, place, child, era);
      const ofChild = [
        ...(await callRows(bench, what, sides)),
        ...(await atOnceRows(bench, what, sides)),
      ];
      rows.push(...(child === filesystemChild ? ofChild : ofChild.map(withoutTarget)));
      await Promise.all(sides.map(({ close }) => close()));
    }
    return [...rows, ...guardRows(bench, place), ...(await hubStartRows(bench, place))];
  },
};

/** In front of a child that does next to nothing, even a relay that only reads and writes takes longer. */
function withoutTarget({ target: _, ...row }: Row): Row {
  return row;
}

// A child that knows the older revisions only is called in those, whatever the client speaks.
const scenes: readonly (readonly [child: HubChild, client: Era])[] = [
  [rawChild, 'legacy'],
  [newestRawChild, 'modern'],
  [askingRawChild, 'modern'],
  [filesystemChild, 'legacy'],
  [filesystemChild, 'modern'],
];

function openSides(bench: Bench, place: Playground, child: HubChild, era: Era) {
  const audit = ['--audit', join(bench.scratch.folder, `audit-${child.name}-${era}.jsonl`)];
  return Promise.all([
    direct(bench, child, place),
    throughHub(bench, child, place, { name: 'call-tool', era }),
    throughHub(bench, child, place, { name: '--expose tools', era, isExposed: true }),
    throughHub(bench, child, place, { name: 'call-tool --audit', era, args: audit }),
  ]);
}

/** One call after the other. */
async function callRows(bench: Bench, what: string, sides: readonly HubSide[]) {
  // The hub is more code than a child, which takes longer until all of it is compiled.
  const options = { warmUp: 24, rounds: bench.isQuick ? 8 : 40, each: 50 };
  const timed = sides.map(({ name, read }) => ({ name, sample: () => timeOf(read) }));
  const times = await race(timed, options);
  const compared: readonly (readonly [side: string, other: string, target?: Target])[] = [
    ['call-tool', 'direct', { atMost: 2.5 }],
    ['--expose tools', 'direct', { atMost: 2.5 }],
    ['call-tool --audit', 'call-tool'],
  ];
  const shown = (side: string) =>
    inMilliseconds(times.percentile(side, 50), times.percentile(side, 95));
  return compared.map(
    ([side, other, target]): Row => ({
      what: `${side} (95th): ${what}`,
      against: other,
      ours: shown(side),
      theirs: shown(other),
      value: times.ratio(side, other),
      unit: '×',
      ...(target && { target }),
    }),
  );
}

const inFlight = 64;
const callsAtOnce = 1024;

/** Many calls under way: how much of the direct throughput is left. */
async function atOnceRows(bench: Bench, what: string, sides: readonly HubSide[]) {
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 16, each: 1 };
  const timed = sides.map(({ name, read }) => ({ name, sample: () => timeOf(() => flood(read)) }));
  const times = await race(timed, options);
  const perSecond = (side: string) =>
    `${Math.round((callsAtOnce * 1000) / times.percentile(side, 50))} calls/s`;
  return ['call-tool', '--expose tools'].map(
    (side): Row => ({
      what: `${inFlight} calls at once by ${side}: ${what}`,
      against: 'direct',
      ours: perSecond(side),
      theirs: perSecond('direct'),
      value: times.ratio('direct', side),
      unit: '×',
      target: { atLeast: 0.6 },
    }),
  );
}

async function flood(read: () => Promise<void>): Promise<void> {
  let left = callsAtOnce;
  const readOn = async () => {
    while (left > 0) {
      left -= 1;
      await read();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, readOn));
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
