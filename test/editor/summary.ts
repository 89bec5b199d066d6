/** How many tests of one run passed, failed and were skipped. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const mark = '##summary ';

/** A line that carries a summary through an output that people read too. */
export function formatSummary(summary: Summary): string {
  return mark + JSON.stringify(summary);
}

/** Every summary in an output, in order. */
export function parseSummaries(output: string): Summary[] {
  return output
    .split(/\r?\n/)
    .filter(line => line.startsWith(mark))
    .map(line => JSON.parse(line.slice(mark.length)));
}
