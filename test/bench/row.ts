import type { Race, Role } from './race.ts';

/** The measurements of one side. */
export interface Figure {
  readonly amount: number;
  readonly unit: string;
  /** The text behind the value, such as the spread. */
  readonly note?: string;
}

/** One line of the result. Without a target it only informs. */
export interface Row {
  readonly what: string;
  /** The side that ours is compared with; empty without one. */
  readonly against?: string;
  readonly ours?: Figure;
  readonly theirs?: Figure;
  /** The subject of the target; `undefined` when nothing can be measured here. */
  readonly value: number | undefined;
  readonly unit: '×' | 'ms' | 'MB';
  /** The largest value allowed. */
  readonly target?: number | undefined;
}

/** The targets of a race, by the relation of the other side to ours. */
export type Targets = Partial<Record<Role, number>>;

/** A slowdown by more than this is rarely noise. */
const asBefore = 1.1;

export function verdictOn({ value, target }: Row): 'meets' | 'MISSES' | 'not there' | '' {
  if (value === undefined) {
    return 'not there';
  }
  if (target === undefined) {
    return '';
  }
  return value <= target ? 'meets' : 'MISSES';
}

/** A row for each of the other sides: how many times as long ours took. */
export function againstAll(what: string, race: Race, targets: Targets = {}): readonly Row[] {
  const figure = (name: string): Figure => ({
    amount: race.percentile(name, 50),
    unit: 'ms',
    note: rounded(race.percentile(name, 99)),
  });
  const [ours, ...others] = race.sides.map(({ name }) => name);
  return others.map((name, at) => ({
    what,
    against: name,
    ours: figure(ours ?? ''),
    theirs: figure(name),
    value: race.ratio(ours ?? '', name),
    unit: '×',
    target: { before: asBefore, ...targets }[race.sides[at + 1]?.role ?? 'before'],
  }));
}

/** The rows as a table, with the target and the verdict on each. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['what', 'against', 'ours', 'theirs', 'result', 'target', 'verdict'];
  const lines = [head, ...rows.map(cells)];
  const widths = head.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  const padded = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map(line => line.map(padded).join('  ').trimEnd()).join('\n');
}

/** The rows that miss their target, each in one line. */
export function missed(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(row => verdictOn(row) === 'MISSES')
    .map(row => {
      const [what, against, , , result, target] = cells(row);
      return `${against ? `${what}, against ${against}` : what}: ${result}, target ${target}`;
    });
}

function cells(row: Row): string[] {
  const { what, against = '', ours, theirs, value, unit, target } = row;
  return [
    what,
    against,
    ...[ours, theirs].map(figure => (figure ? shown(figure) : '')),
    value === undefined ? '-' : `${rounded(value)} ${unit}`,
    target === undefined ? '' : `≤ ${target} ${unit}`,
    verdictOn(row),
  ];
}

function shown({ amount, unit, note }: Figure): string {
  return note === undefined ? `${rounded(amount)} ${unit}` : `${rounded(amount)} ${unit} (${note})`;
}

function rounded(amount: number): string {
  const digits = amount < 0.1 ? 3 : amount < 10 ? 2 : amount < 100 ? 1 : 0;
  return Number.isInteger(amount) ? `${amount}` : amount.toFixed(digits);
}
