import { prepareSwapping, type Swapped } from '../../support/swapper.ts';
import { type AttackOutcome, readUnderAttack, writeUnderAttack } from '../attackedCalls.ts';
import type { Bench, Part } from '../bench.ts';
import { type Contender, ours, theirs } from '../contenders.ts';
import type { Call } from '../rawClient.ts';
import type { Row } from '../row.ts';
import { open } from '../session.ts';

interface Attacked {
  readonly what: string;
  readonly swapped: Swapped;
  readonly run: typeof readUnderAttack;
  /** Such a call, to see whether a server has the tool. */
  readonly call: (contender: Contender) => Call;
  readonly ours: number;
  readonly theirs: number;
}

const reads = { run: readUnderAttack, call: (contender: Contender) => contender.read('') };
const writes = { run: writeUnderAttack, call: (contender: Contender) => contender.write('', '') };

const attacks: readonly Attacked[] = [
  { ...reads, what: 'reads', swapped: 'folder', ours: 300_000, theirs: 20_000 },
  { ...writes, what: 'writes', swapped: 'folder', ours: 75_000, theirs: 5000 },
  { ...reads, what: 'reads', swapped: 'root', ours: 20_000, theirs: 5000 },
  { ...reads, what: 'reads', swapped: 'parent', ours: 20_000, theirs: 5000 },
  { ...writes, what: 'writes', swapped: 'root', ours: 20_000, theirs: 5000 },
  { ...writes, what: 'writes', swapped: 'parent', ours: 20_000, theirs: 5000 },
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
  const contender = ours(bench.server, ['--allow-write']);
  const mine = await underAttack(bench, contender, attacked, attacked.ours * scale);
  if (!mine) {
    return [{ what: `${what} (no tool)`, value: undefined, unit: 'escapes', target }];
  }
  const rows: Row[] = [];
  for (const other of theirs) {
    const outcome = await underAttack(bench, other, attacked, attacked.theirs * scale);
    const compared = { against: other.name, theirs: outcome ? shown(outcome) : '' };
    const row = { what, ours: shown(mine), ...compared, value: mine.escapes };
    rows.push({ ...row, unit: 'escapes', target });
  }
  return rows;
}

/** `undefined` when the server has no such tool. */
async function underAttack(
  bench: Bench,
  contender: Contender,
  { run, call, swapped }: Attacked,
  calls: number,
): Promise<AttackOutcome | undefined> {
  const ends: (() => unknown)[] = [];
  const after = (end: unknown) => ends.push(end as () => unknown);
  const { start, ...attack } = prepareSwapping({ after }, swapped);
  // What a root means is settled when it is taken, which is before the attack.
  const session = await open(bench.scratch, contender, attack.root);
  await start();
  for (const end of ends) {
    bench.scratch.atExit(end);
  }
  const isThere = session.has(call(contender).name);
  const outcome = isThere ? await run(session, attack, calls) : undefined;
  await session.client.close();
  for (const end of ends) {
    await end();
  }
  if (outcome?.refused === 0 && outcome.escapes === 0) {
    throw new Error('Nothing was refused and nothing escaped: the attack did not take place.');
  }
  return outcome;
}

function shown({ calls, refused, escapes }: AttackOutcome): string {
  const percent = (count: number) => `${((100 * count) / calls).toFixed(1)} %`;
  return `${calls}: ${percent(escapes)} escape, ${percent(refused)} refused`;
}
