import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { createBench, type Part } from './bench.ts';
import { type Options, parseOptions } from './options.ts';
import { attackPart } from './parts/attack.ts';
import { bundlesPart } from './parts/bundles.ts';
import { connectorMemoryPart } from './parts/connectorMemory.ts';
import { findPart } from './parts/find.ts';
import { gatewayPart } from './parts/gateway.ts';
import { hubPart } from './parts/hub.ts';
import { listPart } from './parts/list.ts';
import { meanwhilePart } from './parts/meanwhile.ts';
import { memoryPart } from './parts/memory.ts';
import { pathCheckPart } from './parts/pathCheck.ts';
import { readPart } from './parts/read.ts';
import { rootsPart } from './parts/roots.ts';
import { sandboxPart } from './parts/sandbox.ts';
import { searchPart } from './parts/search.ts';
import { startPart } from './parts/start.ts';
import { built, checkOut, commitOf, ours } from './product.ts';
import { missed, type Row, tableOf, verdictOn } from './row.ts';
import { Scratch } from './scratch.ts';

// `npm run bench`: measures what the project promises about speed, and says what is missed. All rows
// are in `dist/bench.json`.
// Figures of one machine say little, so each stands beside those of others in the same minutes.

const parts: readonly Part[] = [
  startPart,
  readPart,
  listPart,
  findPart,
  searchPart,
  meanwhilePart,
  memoryPart,
  connectorMemoryPart,
  pathCheckPart,
  attackPart,
  rootsPart,
  hubPart,
  gatewayPart,
  sandboxPart,
  bundlesPart,
];

const options = understood();
const scratch = new Scratch();
const before = options.compare === undefined ? undefined : checkOut(scratch, options.compare);
const { rgPath: ripgrep } = createRequire(import.meta.url)('@vscode/ripgrep');
const bench = createBench({ scratch, ours, before, ripgrep, isQuick: options.isQuick });

const machine = { node: process.version, processors: `${cpus().length} × ${cpus()[0]?.model}` };
console.log(`Node ${machine.node}, ${machine.processors}; medians (and the 99th of a hundred)`);

const rows: Row[] = [];
for (const { name, run } of parts.filter(part => options.only.includes(part.name))) {
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
// Speed is reported, because it depends on the machine; an escape is a fault on any.
process.exitCode = rows.some(({ unit, value }) => unit === 'escapes' && value) ? 1 : 0;

/** Ends the process with a sentence when the command line asks for what can't be done. */
function understood(): Options {
  try {
    const options = parseOptions(process.argv.slice(2), parts);
    if (options.compare !== undefined) {
      commitOf(options.compare);
    }
    return options;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}
