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

/** Rows of text under their heads, the first column to the left and the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  );
  return rows
    .map(row =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
