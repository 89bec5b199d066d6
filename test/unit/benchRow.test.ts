import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { race, type Side, timeOfMany } from '../bench/race.ts';
import { againstAll, missed, type Row, tableOf, verdictOn } from '../bench/row.ts';

/** A side that takes these times, one after the other, again and again. */
function sideOf(side: Pick<Side, 'name' | 'role'>, times: readonly number[]): Side {
  let asked = 0;
  return { ...side, sample: async () => times[asked++ % times.length] ?? Number.NaN };
}

const once = { warmUp: 0, rounds: 3, each: 1 };

describe('a row', () => {
  test('compares ours with each of the others, by the ratios of the rounds', async () => {
    const times = await race(
      [
        sideOf({ name: 'ours' }, [1, 20, 3]),
        sideOf({ name: 'files', role: 'theirs' }, [2, 80, 9]),
        sideOf({ name: 'raw', role: 'floor' }, [1, 10, 1]),
      ],
      once,
    );
    const terms = { theirs: { atMost: 0.3 } };
    const ours = { amount: 3, unit: 'ms', note: '20' };
    deepEqual(againstAll('read', times, terms), [
      {
        what: 'read',
        against: 'files',
        ours,
        theirs: { amount: 9, unit: 'ms', note: '80' },
        value: 1 / 3,
        unit: '×',
        role: 'theirs',
        target: { atMost: 0.3 },
      },
      {
        what: 'read',
        against: 'raw',
        ours,
        theirs: { amount: 1, unit: 'ms', note: '10' },
        value: 2,
        unit: '×',
        role: 'floor',
      },
    ]);
  });

  test('beside an earlier revision has the target of none being slower', async () => {
    const before = { name: 'main', role: 'before' as const };
    const times = await race([sideOf({ name: 'ours' }, [12]), sideOf(before, [10])], once);
    const [row] = againstAll('read', times, { theirs: { atMost: 0.1 }, floor: { atMost: 9 } });
    deepEqual([row?.target, row && verdictOn(row)], [{ atMost: 1.1 }, 'MISSES']);
  });

  test('is met at its target, and missed beyond it', () => {
    const verdict = (value: number | undefined, target: Row['target']) =>
      verdictOn({ what: 'x', value, unit: '×', ...(target && { target }) });
    equal(verdict(2, { atMost: 2 }), 'meets');
    equal(verdict(2.1, { atMost: 2 }), 'MISSES');
    equal(verdict(2, { atLeast: 2 }), 'meets');
    equal(verdict(1.9, { atLeast: 2 }), 'MISSES');
    equal(verdict(2, undefined), '');
    equal(verdict(undefined, { atMost: 2 }), 'not there');
  });

  test('is a line of a table, and one of the summary when it is missed', () => {
    const row: Row = {
      what: 'read',
      against: 'files',
      ours: { amount: 0.25, unit: 'ms', note: '1.50' },
      theirs: { amount: 120, unit: 'ms' },
      value: 0.512,
      unit: '×',
      target: { atMost: 0.5 },
    };
    equal(
      tableOf([row]),
      [
        'what  against            ours  theirs  result   target  verdict',
        'read  files    0.25 ms (1.50)  120 ms  0.51 ×  ≤ 0.5 ×   MISSES',
      ].join('\n'),
    );
    deepEqual(missed([row, { ...row, value: 0.5 }]), [
      'read, against files: 0.51 ×, target ≤ 0.5 ×',
    ]);
  });
});

test('of many calls, 64 are under way all the time', async () => {
  let calls = 0;
  let underWay = 0;
  const seen = new Set<number>();
  await timeOfMany(async () => {
    calls += 1;
    underWay += 1;
    seen.add(underWay);
    await null;
    underWay -= 1;
  });
  deepEqual([calls, Math.max(...seen), underWay], [1024, 64, 0]);
});
