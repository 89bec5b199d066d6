import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Watchdog } from '../../../src/base/watchdog.ts';

function watchAt(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const watch = new Watchdog(1000);
  const changes: boolean[] = [];
  watch.onDidChange(isLate => changes.push(isLate));
  return { watch, changes, tick: (time: number) => t.mock.timers.tick(time) };
}

test('what is awaited is late once its time is over, and is told of once', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(999);
  assert.deepEqual([watch.isLate, changes], [false, []]);
  tick(1);
  watch.expect();
  tick(10_000);
  assert.deepEqual([watch.isLate, changes], [true, [true]]);
});

test('being awaited again gives no more time', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(600);
  watch.expect();
  tick(400);
  assert.deepEqual(changes, [true]);
});

test('what comes in time is never told of, and what comes late is told of as come', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  watch.settle();
  tick(5000);
  assert.deepEqual(changes, []);
  watch.expect();
  tick(1000);
  watch.settle();
  watch.settle();
  assert.deepEqual([watch.isLate, changes], [false, [true, false]]);
});

test('at its end nothing is late, and nothing is told of any more', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(1000);
  watch.dispose();
  watch.expect();
  tick(1000);
  assert.deepEqual(changes, [true, false]);
});
