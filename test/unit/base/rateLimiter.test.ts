import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RateLimiter } from '../../../src/base/rateLimiter.ts';

interface Run {
  readonly at: number;
  readonly items: readonly string[];
}

/** A rate limiter of three runs a second and four waiting items, on a clock of the test's own. */
function limiterAt(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const runs: Run[] = [];
  const limiter = new RateLimiter<string>(items => runs.push({ at: Date.now(), items }), {
    perSecond: 3,
    mostWaiting: 4,
  });
  const add = (...items: string[]) => items.map(item => limiter.add(item));
  return { limiter, runs, add, tick: (time: number) => t.mock.timers.tick(time) };
}

test('runs items within the rate at once', t => {
  const { runs, add, tick } = limiterAt(t);
  for (const item of ['a', 'b', 'c', 'd', 'e', 'f']) {
    assert.deepEqual(add(item), [true]);
    tick(334);
  }
  const told = runs.map(({ at, items }) => `${at} ${items}`);
  assert.deepEqual(told, ['0 a', '334 b', '668 c', '1002 d', '1336 e', '1670 f']);
});

test('gathers further items until there is room', t => {
  const { limiter, runs, add, tick } = limiterAt(t);
  add('a');
  tick(400);
  add('b', 'c', 'd');
  tick(599);
  add('e');
  assert.equal(runs.length, 3);
  tick(1);
  assert.deepEqual(runs.at(-1), { at: 1000, items: ['d', 'e'] });
  add('f');
  tick(400);
  assert.deepEqual(runs.slice(4), [{ at: 1400, items: ['f'] }]);
  add('g', 'h', 'i', 'j');
  limiter.dispose();
  tick(10_000);
  assert.deepEqual([add('k'), runs.length], [[false], 6]);
});

test('keeps the rate in a flood', t => {
  const { runs, add, tick } = limiterAt(t);
  for (let now = 0; now < 5000; now += 10) {
    add('x');
    tick(10);
  }
  const times = runs.map(({ at }) => at);
  assert.ok(times.length >= 15, String(times));
  times.slice(3).forEach((at, index) => {
    assert.ok(at - times[index]! >= 1000, String(times));
  });
});

test('turns items away when too many wait', t => {
  const { runs, add, tick } = limiterAt(t);
  add('a', 'b', 'c');
  assert.deepEqual(add('1', '2', '3', '4', '5', '6'), [true, true, true, true, false, false]);
  tick(1000);
  assert.deepEqual(runs.at(-1)?.items, ['1', '2', '3', '4']);
  assert.deepEqual(add('7'), [true]);
});

test('gathers items that arrive during a run', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const runs: string[] = [];
  const ends: (() => void)[] = [];
  const run = (items: readonly string[]) => {
    runs.push(items.join(''));
    return new Promise<void>(resolve => ends.push(resolve));
  };
  const limiter = new RateLimiter<string>(run, { perSecond: 2, mostWaiting: 3 });
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map(item => limiter.add(item)),
    [true, true, true, true, false],
  );
  assert.deepEqual(runs, ['a']);
  await end();
  limiter.add('e');
  await end();
  assert.deepEqual(runs, ['a', 'bcd']);
  t.mock.timers.tick(1000);
  assert.deepEqual(runs, ['a', 'bcd', 'e']);
  limiter.add('f');
  limiter.dispose();
  await end();
  assert.deepEqual(runs, ['a', 'bcd', 'e']);
});

test('waits a second at most when the clock is set back', t => {
  const { runs, add, tick } = limiterAt(t);
  t.mock.timers.setTime(1_000_000);
  add('a', 'b', 'c');
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  add('d');
  tick(1000);
  assert.deepEqual(runs.at(-1), { at: 1000, items: ['d'] });
});
