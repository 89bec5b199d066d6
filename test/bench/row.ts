import { type Figure, inMilliseconds, shown, table } from './figures.ts';
import type { Race, Role } from './race.ts';

/** What a figure must be. */
export type Target = { readonly atMost: number } | { readonly atLeast: number };

/** One line of the result. Without a target it only informs. */
export interface Row {
  readonly what: string;
  /** Whom ours is compared with; empty when with nobody. */
  readonly against?: string;
  readonly role?: Role;
  readonly ours?: Figure;
  readonly theirs?: Figure;
  /** What the target is about; `undefined` when there is nothing to measure here. */
  readonly value: number | undefined;
  readonly unit: '×' | 'ms' | 'µs' | 'MB' | 'million/s' | 'escapes' | 'bytes';
  readonly target?: Target;
}

/** What rows of one race have in common. */
export interface Terms {
  /** By what the other side is to ours. */
  readonly theirs?: Target;
  readonly floor?: Target;
}

/** What is slower than that is no noise, most of the time. */
const asBefore: Target = { atMost: 1.1 };

export type Verdict = 'meets' | 'MISSES' | 'not there' | '';

export function verdictOn({ value, target }: Row): Verdict {
  if (value === undefined) {
    return 'not there';
  }
  if (!target) {
    return '';
  }
  const isMet = 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
  return isMet ? 'meets' : 'MISSES';
}

/** A row for each of the others. */
export function againstAll(what: string, race: Race, terms?: Terms): readonly Row[] {
  return race.sides
    .filter(({ role }) => role)
    .map(({ name }) => against(what, race, ['ours', name], terms));
}

/** How long one side took in comparison with another, for which there is a target by its role. */
export function against(
  what: string,
  race: Race,
  [ours, other]: readonly [ours: string, other: string],
  terms: Terms = {},
): Row {
  const figure = (name: string) => {
    return inMilliseconds(race.percentile(name, 50), race.percentile(name, 99));
  };
  const role = race.sides.find(({ name }) => name === other)?.role;
  return {
    what,
    against: other,
    ours: figure(ours),
    theirs: figure(other),
    value: race.ratio(ours, other),
    unit: '×',
    ...(role && byRole(role, terms)),
  };
}

/** What it is to be against a side of that role. */
export function byRole(role: Role, targets: Terms): Pick<Row, 'role' | 'target'> {
  const target = role === 'before' ? asBefore : targets[role];
  return { role, ...(target && { target }) };
}

/** The rows as a table, with the target and the verdict on each. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['what', 'against', 'ours', 'theirs', 'result', 'target', 'verdict'];
  return table([head, ...rows.map(cells)], 2);
}

/** Rows whose target is missed, each in one line. */
export function missed(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(row => verdictOn(row) === 'MISSES')
    .map(row => `${nameOf(row)}: ${resultOf(row)}, target ${targetOf(row)}`);
}

function nameOf({ what, against }: Row): string {
  return against ? `${what}, against ${against}` : what;
}

function cells(row: Row): string[] {
  const { what, against = '', ours, theirs } = row;
  const figures = [ours, theirs].map(figure => (figure ? shown(figure) : ''));
  return [what, against, ...figures, resultOf(row), targetOf(row), verdictOn(row)];
}

function targetOf({ target, unit }: Row): string {
  if (!target) {
    return '';
  }
  return 'atMost' in target ? `≤ ${target.atMost} ${unit}` : `≥ ${target.atLeast} ${unit}`;
}

function resultOf({ value, unit }: Row): string {
  if (value === undefined) {
    return '-';
  }
  const isWhole = Number.isInteger(value) || unit === 'bytes';
  return `${isWhole ? value : value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
}
