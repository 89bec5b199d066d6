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

test('reports a late peer once', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(999);
  assert.deepEqual([watch.isLate, changes], [false, []]);
  tick(1);
  watch.expect();
  tick(10_000);
  assert.deepEqual([watch.isLate, changes], [true, [true]]);
});

test('gives no more time when asked again', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(600);
  watch.expect();
  tick(400);
  assert.deepEqual(changes, [true]);
});

test('reports a peer that arrives late, and none that is in time', t => {
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

test('settles at its end and reports nothing after it', t => {
  const { watch, changes, tick } = watchAt(t);
  watch.expect();
  tick(1000);
  watch.dispose();
  watch.expect();
  tick(1000);
  assert.deepEqual(changes, [true, false]);
});
