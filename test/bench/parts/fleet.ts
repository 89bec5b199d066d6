import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bench, Part } from '../bench.ts';
import { type Figure, inMilliseconds, median, percentile } from '../figures.ts';
import type { FleetFigures } from '../fleet.ts';
import type { Row, Target } from '../row.ts';

const size = 20;
const plain = 'plain clients';

/** Twenty servers in one process: started at once, and told at once of another folder. */
export const fleetPart: Part = {
  name: 'fleet',
  async run(bench) {
    const alone: FleetFigures[] = [];
    const ours: FleetFigures[] = [];
    const theirs: FleetFigures[] = [];
    for (let round = 0; round < (bench.isQuick ? 2 : 12); round++) {
      alone.push(await figuresOf(bench, 'ours', 1));
      ours.push(await figuresOf(bench, 'ours', size));
      theirs.push(await figuresOf(bench, 'plain', size));
    }
    const row = (what: string, figure: keyof FleetFigures, target: Target): Row => ({
      what,
      against: plain,
      ours: figureOf(ours, figure),
      theirs: figureOf(theirs, figure),
      value: median(ours.map(figures => figures[figure])),
      unit: 'ms',
      target,
    });
    return [
      startRow(ours, alone),
      row(`longest block while ${size} start`, 'blockAtStart', { atMost: 50 }),
      row(`longest block in a change for ${size}`, 'blockAtChange', { atMost: 50 }),
      row(`a change until the last of ${size} is told`, 'change', { atMost: 200 }),
    ];
  },
};

/** As many at once as there are processors are to take no longer than one alone. */
function startRow(ours: readonly FleetFigures[], alone: readonly FleetFigures[]): Row {
  const ratios = ours.map(({ start }, round) => {
    const fair = ((alone[round]?.start ?? Number.NaN) * size) / availableParallelism();
    return start / fair;
  });
  return {
    what: `${size} started at once, by processor`,
    against: 'one alone',
    ours: figureOf(ours, 'start'),
    theirs: figureOf(alone, 'start'),
    value: median(ratios),
    unit: '×',
    target: { atMost: 2 },
  };
}

async function figuresOf(
  { scratch }: Bench,
  way: 'ours' | 'plain',
  servers: number,
): Promise<FleetFigures> {
  const program = join(import.meta.dirname, '..', 'fleetHost.ts');
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const host = spawn(process.execPath, [program, way, `${servers}`], { stdio: [...stdio] });
  scratch.owns(host);
  return JSON.parse(await text(host.stdout!));
}

function figureOf(all: readonly FleetFigures[], figure: keyof FleetFigures): Figure {
  const values = all.map(figures => figures[figure]);
  return inMilliseconds(median(values), percentile(values, 99));
}
