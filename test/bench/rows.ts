import { inMilliseconds } from './figures.ts';
import type { Race } from './race.ts';
import type { Row, Target } from './row.ts';

/** A row for each of the others, with the target, if any, against those that are servers like ours. */
export function againstAll(what: string, race: Race, target?: Target): readonly Row[] {
  return race.sides
    .filter(side => side !== 'ours')
    .map(side => {
      const row = against(what, race, side);
      return target && !side.startsWith('raw ') ? { ...row, target } : row;
    });
}

/** How long ours took in comparison with another. */
export function against(what: string, race: Race, side: string): Row {
  const figure = (name: string) => {
    return inMilliseconds(race.percentile(name, 50), race.percentile(name, 99));
  };
  return {
    what,
    against: side,
    ours: figure('ours'),
    theirs: figure(side),
    value: race.ratio('ours', side),
    unit: '×',
  };
}

/** For what the bundled server cannot do yet. */
export function notThere(what: string, tool: string, target: Target): Row {
  return { what: `${what} (no ${tool})`, value: undefined, unit: '×', target };
}
