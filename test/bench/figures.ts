/** What was measured of one side. Of the amount, less is better. */
export interface Figure {
  readonly amount: number;
  readonly unit: string;
  /** What a person reads behind it: the spread, for one. */
  readonly note?: string;
}

/** The value below which this many percent of the others are. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return sorted[index] ?? Number.NaN;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** A time with its spread, where that is asked for. */
export function inMilliseconds(p50: number, p99?: number): Figure {
  const figure = { amount: p50, unit: 'ms' };
  return p99 === undefined ? figure : { ...figure, note: rounded(p99) };
}

/** A size of memory. */
export function inMegabytes(amount: number): Figure {
  return { amount, unit: 'MB' };
}

/** As a person reads it, without its note. */
export function amountOf({ amount, unit }: Figure): string {
  return `${rounded(amount)} ${unit}`;
}

/** As a person reads it. */
export function shown(figure: Figure): string {
  return figure.note === undefined ? amountOf(figure) : `${amountOf(figure)} (${figure.note})`;
}

function rounded(amount: number): string {
  const digits = amount < 0.1 ? 3 : amount < 10 ? 2 : amount < 100 ? 1 : 0;
  return Number.isInteger(amount) ? `${amount}` : amount.toFixed(digits);
}

/** Rows of text under their heads, the first columns to the left and the others to the right. */
export function table(rows: readonly (readonly string[])[], toTheLeft = 1): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  );
  return rows.map(row => line(row, widths, toTheLeft)).join('\n');
}

function line(row: readonly string[], widths: readonly number[], toTheLeft: number): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column < toTheLeft ? cell.padEnd(width) : cell.padStart(width);
  });
  return cells.join('  ').trimEnd();
}
