import { table } from './figures.ts';

/** What a figure must be. */
export type Target = { readonly atMost: number } | { readonly atLeast: number };

/** One line of the result. Without a target it only informs. */
export interface Row {
  readonly what: string;
  /** Whom ours is compared with; empty when with nobody. */
  readonly against?: string;
  /** Both figures, as a person reads them. */
  readonly ours?: string;
  readonly theirs?: string;
  /** What the target is about; `undefined` when there is nothing to measure yet. */
  readonly value: number | undefined;
  readonly unit: '×' | 'ms' | 'µs' | 'MB' | 'million/s' | 'escapes' | 'bytes';
  readonly target?: Target;
}

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

/** The rows as a table, with the target and the verdict on each. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['what', 'against', 'ours', 'theirs', 'result', 'target', 'verdict'];
  return table([head, ...rows.map(cells)], 2);
}

/** Rows whose target is missed, each in one line. */
export function missed(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(row => verdictOn(row) === 'MISSES')
    .map(row => `${nameOf(row)}: ${shown(row.value, row.unit)}, target ${targetOf(row)}`);
}

function nameOf({ what, against }: Row): string {
  return against ? `${what}, against ${against}` : what;
}

function cells(row: Row): string[] {
  const { what, against = '', ours = '', theirs = '', value, unit } = row;
  return [what, against, ours, theirs, shown(value, unit), targetOf(row), verdictOn(row)];
}

function targetOf({ target, unit }: Row): string {
  if (!target) {
    return '';
  }
  return 'atMost' in target ? `≤ ${target.atMost} ${unit}` : `≥ ${target.atLeast} ${unit}`;
}

function shown(value: number | undefined, unit: Row['unit']): string {
  if (value === undefined) {
    return '-';
  }
  const isWhole = Number.isInteger(value) || unit === 'bytes';
  return `${isWhole ? value : value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
}
