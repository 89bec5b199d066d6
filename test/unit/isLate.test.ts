import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLate } from '../../src/base/isLate.ts';

const never = new Promise<never>(() => {});

test('a promise that settles in time is not late, and no timer is left', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clear = t.mock.method(globalThis, 'clearInterval');
  assert.equal(await isLate(Promise.resolve(), 80), false);
  assert.equal(await isLate(Promise.reject(new Error('no')), 80), false);
  assert.equal(clear.mock.callCount(), 2);
});

test('a promise that takes too long is late, not earlier than said', async t => {
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

test('an answer that is there when this process goes on is in time, however long it stood still', async () => {
  const answer = new Promise<void>(resolve => setImmediate(resolve));
  const late = isLate(answer, 16);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  assert.equal(await late, false);
});
