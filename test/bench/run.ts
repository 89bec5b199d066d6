import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Part } from './bench.ts';
import { connectorPart } from './parts/connector.ts';
import { gatewayPart } from './parts/gateway.ts';
import { hubPart } from './parts/hub.ts';
import { listPart } from './parts/list.ts';
import { loadPart } from './parts/load.ts';
import { readPart } from './parts/read.ts';
import { built, checkOut, ours } from './product.ts';
import { missed, type Row, tableOf, verdictOn } from './row.ts';
import { Scratch } from './scratch.ts';

// `npm run bench`: measures what the project promises about speed, and says what is missed. All rows
// are in `dist/bench.json`.
// Figures of one machine say little, so each stands beside those of others in the same minutes.

const parts: readonly Part[] = [readPart, listPart, hubPart, gatewayPart, connectorPart, loadPart];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    compare: { type: 'string' },
  },
});
const known = parts.filter(part => part.comparesRevisions || values.compare === undefined);
const only = values.only?.split(',') ?? known.map(({ name }) => name);
const unknown = only.filter(name => !known.some(part => part.name === name));
if (unknown.length > 0) {
  const names = known.map(({ name }) => name).join(', ');
  console.error(`There is no ${unknown.join(', ')} to measure, only: ${names}.`);
  process.exit(2);
}
const scratch = new Scratch();
const before = values.compare === undefined ? undefined : checkOut(scratch, values.compare);
const bench = { scratch, ours, before, isQuick: values.quick };

const machine = { node: process.version, processors: `${cpus().length} × ${cpus()[0]?.model}` };
console.log(`Node ${machine.node}, ${machine.processors}; medians (and the 99th of a hundred)`);

const rows: Row[] = [];
for (const { name, run } of known.filter(part => only.includes(part.name))) {
  const measured = await run(bench);
  console.log(`\n${name}\n${tableOf(measured)}`);
  rows.push(...measured);
}

const result = { ...machine, rows: rows.map(row => ({ ...row, verdict: verdictOn(row) })) };
writeFileSync(built(ours, 'bench.json'), `${JSON.stringify(result, undefined, 2)}\n`);
const misses = missed(rows);
console.log(
  misses.length === 0
    ? '\nNo target is missed.'
    : `\nMissed targets (${misses.length}):\n  ${misses.join('\n  ')}`,
);
