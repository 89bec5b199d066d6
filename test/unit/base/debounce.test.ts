import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Debounce } from '../../../src/base/debounce.ts';

/** A debounce on the test's clock, and the times of its runs. */
function debounceAt(t: TestContext, quiet: number, longest: number, pause = 0) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const runs: number[] = [];
  const debounce = new Debounce(() => runs.push(Date.now()), { quiet, longest, pause });
  const tick = (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed++) {
      t.mock.timers.tick(1);
    }
  };
  return { debounce, runs, tick };
}

test('runs once after the burst', t => {
  const { debounce, runs, tick } = debounceAt(t, 50, 1000);
  for (let request = 0; request < 100; request++) {
    debounce.request();
  }
  tick(40);
  debounce.request();
  tick(49);
  assert.deepEqual(runs, []);
  tick(1000);
  assert.deepEqual(runs, [90]);
});

test('runs after the longest wait in an endless burst', t => {
  const { debounce, runs, tick } = debounceAt(t, 50, 120);
  for (let now = 0; now < 300; now += 10) {
    debounce.request();
    tick(10);
  }
  tick(1000);
  assert.deepEqual(runs, [120, 240, 340]);
});

test('pauses between two runs', t => {
  const { debounce, runs, tick } = debounceAt(t, 10, 50, 200);
  tick(1);
  debounce.request();
  tick(30);
  debounce.request();
  tick(400);
  assert.deepEqual(runs, [11, 211]);
  debounce.request();
  tick(400);
  assert.deepEqual(runs, [11, 211, 441]);
});

test('runs again after a request during the run', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let runs = 0;
  const debounce: Debounce = new Debounce(
    () => {
      runs++;
      if (runs === 1) {
        debounce.request();
      }
    },
    { quiet: 50, longest: 50 },
  );
  debounce.request();
  t.mock.timers.tick(50);
  t.mock.timers.tick(50);
  assert.equal(runs, 2);
});

test('runs nothing after disposal', t => {
  const { debounce, runs, tick } = debounceAt(t, 50, 1000);
  debounce.request();
  debounce.dispose();
  debounce.request();
  tick(2000);
  assert.deepEqual(runs, []);
});
