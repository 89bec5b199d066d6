import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateWatch } from '../../src/base/rateWatch.ts';

test('what comes as often as it may is not too often, and one more within the second is', t => {
  t.mock.timers.enable({ apis: ['Date'], now: 50_000 });
  const watch = new RateWatch(3);
  const three = () => [watch.note(), watch.note(), watch.note()];
  assert.deepEqual(three(), [false, false, false]);
  t.mock.timers.tick(999);
  assert.equal(watch.note(), true);
  t.mock.timers.tick(1);
  assert.deepEqual(three(), [false, false, false]);
});

test('a clock that is set back does not make it count for ever', t => {
  t.mock.timers.enable({ apis: ['Date'], now: 50_000 });
  const watch = new RateWatch(1);
  assert.deepEqual([watch.note(), watch.note()], [false, true]);
  t.mock.timers.setTime(10_000);
  assert.deepEqual([watch.note(), watch.note()], [false, true]);
});
