import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Attack, prepareSwapping, type Swapped, secret } from '../../support/swapper.ts';
import type { Bench, Part } from '../bench.ts';
import { bundledServer, type Contender, theirs } from '../contenders.ts';
import type { Figure } from '../figures.ts';
import type { Call, ToolResult } from '../rawClient.ts';
import type { Row } from '../row.ts';
import { open, type Session } from '../session.ts';

interface Attacked {
  readonly what: string;
  readonly swapped: Swapped;
  readonly run: typeof readUnderAttack;
  readonly ours: number;
  readonly theirs: number;
}

const reads = { run: readUnderAttack, what: 'reads' };
const writes = { run: writeUnderAttack, what: 'writes' };

const attacks: readonly Attacked[] = [
  { ...reads, swapped: 'folder', ours: 300_000, theirs: 20_000 },
  { ...writes, swapped: 'folder', ours: 75_000, theirs: 5000 },
  { ...reads, swapped: 'root', ours: 20_000, theirs: 5000 },
  { ...reads, swapped: 'parent', ours: 20_000, theirs: 5000 },
  { ...writes, swapped: 'root', ours: 20_000, theirs: 5000 },
  { ...writes, swapped: 'parent', ours: 20_000, theirs: 5000 },
];

const names = {
  folder: 'a folder',
  root: 'the root',
  parent: 'the parent of the root',
};

/** Calls while another process swaps a folder on their way for a link, without pause. */
export const attackPart: Part = {
  name: 'attack',
  async run(bench) {
    const rows: Row[] = [];
    for (const attack of attacks) {
      rows.push(...(await rowsFor(bench, attack)));
    }
    return rows;
  },
};

async function rowsFor(bench: Bench, attacked: Attacked): Promise<readonly Row[]> {
  const target = { atMost: 0 };
  const what = `${attacked.what} while ${names[attacked.swapped]} is swapped`;
  const scale = bench.isQuick ? 0.05 : 1;
  const contender = bundledServer(bench.ours, ['--allow-write']);
  const mine = await underAttack(bench, contender, attacked, attacked.ours * scale);
  const rows: Row[] = [];
  for (const other of theirs) {
    const outcome = await underAttack(bench, other, attacked, attacked.theirs * scale);
    const compared = { against: other.name, theirs: figureOf(outcome), value: mine.escapes };
    rows.push({ what, ours: figureOf(mine), ...compared, unit: 'escapes', target });
  }
  return rows;
}

async function underAttack(
  bench: Bench,
  contender: Contender,
  { run, swapped }: Attacked,
  calls: number,
): Promise<AttackOutcome> {
  const ends: (() => unknown)[] = [];
  const after = (end: unknown) => ends.push(end as () => unknown);
  const { start, ...attack } = prepareSwapping({ after }, swapped);
  // What a root means is settled when it is taken, which is before the attack.
  const session = await open(bench.scratch, contender, attack.root);
  await start();
  for (const end of ends) {
    bench.scratch.atExit(end);
  }
  const outcome = await run(session, attack, calls);
  await session.client.close();
  for (const end of ends) {
    await end();
  }
  if (outcome.refused === 0 && outcome.escapes === 0) {
    throw new Error('Nothing was refused and nothing escaped: the attack did not take place.');
  }
  return outcome;
}

function figureOf({ calls, refused, escapes }: AttackOutcome): Figure {
  const percent = ((100 * refused) / calls).toFixed(1);
  return { amount: escapes, unit: 'escapes', note: `of ${calls}, ${percent} % refused` };
}

/** What became of calls for a path that led outside at some moments. */
interface AttackOutcome {
  readonly calls: number;
  readonly refused: number;
  /** How many reads returned the secret, or how many writes landed beside it. */
  readonly escapes: number;
}

const atOnce = 50;

/** Reads a file whose path leads outside at some moments. */
async function readUnderAttack(session: Session, { path }: Attack, calls: number) {
  let escapes = 0;
  const read = session.contender.read(path);
  const refused = await callOften(
    session,
    calls,
    () => read,
    ({ isError, content }) => {
      escapes += !isError && content?.[0]?.text?.includes(secret) ? 1 : 0;
    },
  );
  return { calls, refused, escapes };
}

/** Writes files into a folder whose path leads outside at some moments: half are new, half are replaced. */
async function writeUnderAttack(session: Session, { path, outside }: Attack, calls: number) {
  const write = (number: number) =>
    session.contender.write(join(dirname(path), `new-${number % (calls / 2)}`), `${number}`);
  const refused = await callOften(session, calls, write, () => {});
  const isWhole = readFileSync(join(outside, basename(path)), 'utf8') === secret;
  return { calls, refused, escapes: readdirSync(outside).length - 1 + (isWhole ? 0 : 1) };
}

/** How many of the calls were refused; some are, or there was no attack. */
async function callOften(
  { client }: Session,
  calls: number,
  call: (number: number) => Call,
  onResult: (result: ToolResult) => void,
): Promise<number> {
  let refused = 0;
  let started = 0;
  const callOn = async () => {
    while (started < calls) {
      started += 1;
      const { result } = await client.call(call(started));
      refused += result.isError ? 1 : 0;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callOn));
  return refused;
}
