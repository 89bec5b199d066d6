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

/** A time as a person reads it, with its spread where that is asked for. */
export function inMilliseconds(p50: number, p99?: number): string {
  const shown = (time: number) => (time < 10 ? time.toFixed(2) : time.toFixed(0));
  return p99 === undefined ? `${shown(p50)} ms` : `${shown(p50)} (${shown(p99)}) ms`;
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
