import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSummaries, type Summary } from './editor/summary.ts';
import { nodeTestEnv } from './testFiles.ts';
import { allTiers, type Command, quickTiers, type Tier } from './tiers.ts';
import { chromiumPath } from './vscode/chromium.ts';
import { npmVsCode } from './vscode/install.ts';

// `npm test`: runs every tier, prints what each said and what failed, and ends with `N passed, N failed`.
// `npm test -- --quick` runs those that are for before a commit.

interface Result extends Summary {
  readonly name: string;
  readonly isGood: boolean;
  readonly seconds: number;
  /** Its report of the failures. */
  readonly failures?: string;
}

const root = join(import.meta.dirname, '..');
/** For a tier that hangs: the longest starts two editors for a few minutes, four times each. */
const limit = 40 * 60_000;
const nothing: Summary = { passed: 0, failed: 0, skipped: 0 };
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const tiers = values.quick ? quickTiers() : allTiers();
const isNeeded = tiers.some(({ needs = [] }) => needs.includes('editors'));
// In the order of the report at the end.
const results = new Map<string, Promise<Result>>();
if (isNeeded) {
  // Fetching the editors takes the network more than the processor: it goes along with the first tier.
  results.set('editors', prepareEditors());
}
// One after another: side by side they wait for each other until the tests run into the limits that the
// product has for slow servers and clients, and on two processors all of them take longer that way.
for (const tier of tiers) {
  const result = runTier(tier);
  results.set(tier.name, result);
  await result;
}
printTotals(await Promise.all(results.values()));

async function prepareEditors(): Promise<Result> {
  const start = Date.now();
  try {
    await Promise.all([npmVsCode('newest'), npmVsCode('floor'), chromiumPath()]);
    return { name: 'editors', ...nothing, isGood: true, seconds: secondsSince(start) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { name: 'editors', ...nothing, failed: 1, isGood: false, seconds: secondsSince(start) };
  }
}

async function runTier(tier: Tier): Promise<Result> {
  const missing = await firstMissing(tier);
  const start = Date.now();
  const runs = missing
    ? [{ output: `Not run, because "${missing}" failed.\n`, code: 1 }]
    : await Promise.all(tier.commands.map(run));
  const summaries = runs.map(({ output, code }) => summarize(tier, output, code));
  const summary = summaries.reduce(add);
  const output = runs.map(run => run.output).join('\n');
  const isGood = summary.failed === 0;
  const seconds = secondsSince(start);
  console.log(`\n=== ${tier.name}: ${isGood ? 'passed' : 'FAILED'} (${seconds} s)\n${output}`);
  const failing = runs.filter((_run, index) => summaries[index]?.failed !== 0);
  const failures = failing.map(run => failuresIn(run.output)).join('\n');
  return { name: tier.name, ...summary, isGood, seconds, failures };
}

/** The first failed tier that a tier needs, after all of them have ended. */
async function firstMissing({ needs = [] }: Tier): Promise<string | undefined> {
  const ended = await Promise.all(
    needs.map(async name => [name, await results.get(name)] as const),
  );
  return ended.find(([, result]) => !result?.isGood)?.[0];
}

async function run([tool, ...args]: Command): Promise<{ output: string; code: number }> {
  const isWindows = process.platform === 'win32';
  const child = spawn(tool, args, {
    cwd: root,
    env: nodeTestEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limit,
    shell: isWindows && tool === 'npm',
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  child.stderr.on('data', chunk => chunks.push(chunk));
  const code = await new Promise<number>(resolve => {
    child.once('close', status => resolve(status ?? 1));
    child.once('error', error => {
      chunks.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
  });
  return { output: Buffer.concat(chunks).toString(), code };
}

/** The counts of a tier; one more failure when it failed without a failing test, or tested nothing. */
function summarize({ counts }: Tier, output: string, code: number): Summary {
  const counted = counts === 'mocha' ? parseSummaries(output) : [countNodeTests(output)];
  const sum = counts === 'none' ? nothing : counted.reduce(add, nothing);
  const testedNothing = counts !== 'none' && sum.passed === 0;
  const failed = sum.failed === 0 && (code !== 0 || testedNothing) ? 1 : sum.failed;
  return { ...sum, failed };
}

/** Reads the last lines of Node's `spec` reporter. */
function countNodeTests(output: string): Summary {
  const count = (word: string) =>
    Number(output.match(new RegExp(`^ℹ ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
}

/** The summary of failures of each test runner in an output, or else its end. */
function failuresIn(output: string): string {
  const sums = output.match(/^(✖ failing tests:| +\d+ failing)$.*?(?=^##summary |(?!.))/gms);
  return sums?.join('\n') ?? output.slice(-5000);
}

function add(a: Summary, b: Summary): Summary {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}

/** The failures once more, where they are seen: a run is long, and some show only its end. */
function printTotals(all: readonly Result[]): void {
  for (const { name, failures } of all.filter(({ isGood }) => !isGood)) {
    console.log(`\n=== what failed in ${name}\n${failures ?? ''}`);
  }
  for (const { name, passed, failed, skipped, seconds } of all) {
    const extra = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(`${name.padEnd(20)} ${passed} passed, ${failed} failed${extra} (${seconds} s)`);
  }
  const total = all.reduce(add, nothing);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

function secondsSince(start: number): number {
  return Math.round((Date.now() - start) / 1000);
}
