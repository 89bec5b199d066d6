import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLate, within } from '../../../src/base/timeLimit.ts';

test('gives the value of a promise that settles in time', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clear = t.mock.method(globalThis, 'clearTimeout');
  assert.equal(await within(Promise.resolve('done'), 10, 'late'), 'done');
  await assert.rejects(within(Promise.reject(new Error('no')), 10, 'late'), /^Error: no$/);
  assert.equal(clear.mock.callCount(), 2);
});

test('gives the other value once the time is over', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((_, fail) => {
    reject = fail;
  });
  let outcome = 'open';
  const result = within(promise, 10, 'late').then(settled => {
    outcome = settled;
  });
  t.mock.timers.tick(9);
  await Promise.resolve();
  assert.equal(outcome, 'open');
  t.mock.timers.tick(1);
  await result;
  assert.equal(outcome, 'late');
  // The test runner fails a test with an unhandled rejection.
  reject(new Error('afterwards'));
  await assert.rejects(promise);
});

const never = new Promise<never>(() => {});

test('a promise that settles in time is not late', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clear = t.mock.method(globalThis, 'clearInterval');
  assert.equal(await isLate(Promise.resolve(), 80), false);
  assert.equal(await isLate(Promise.reject(new Error('no')), 80), false);
  assert.equal(clear.mock.callCount(), 2);
});

test('a promise is late after the time limit', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let late: boolean | undefined;
  void isLate(never, 80).then(answer => {
    late = answer;
  });
  t.mock.timers.tick(79);
  await nextTurn();
  assert.equal(late, undefined);
  t.mock.timers.tick(1);
  await nextTurn();
  assert.equal(late, true);
});

test('a pause of this process makes no answer late', async () => {
  const answer = new Promise<void>(resolve => setImmediate(resolve));
  const late = isLate(answer, 16);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  assert.equal(await late, false);
});
