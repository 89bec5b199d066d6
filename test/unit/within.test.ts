import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../src/base/within.ts';

test('a promise that settles in time is what it settles to, and no timer is left', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clear = t.mock.method(globalThis, 'clearTimeout');
  assert.equal(await within(Promise.resolve('done'), 10, 'late'), 'done');
  await assert.rejects(within(Promise.reject(new Error('no')), 10, 'late'), /^Error: no$/);
  assert.equal(clear.mock.callCount(), 2);
});

test('a promise that takes too long is late, not earlier than said', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>(settle => {
    resolve = settle;
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
  resolve('too late');
  assert.equal(outcome, 'late');
});

test('a promise that fails after it was late is no unhandled failure', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((_, fail) => {
    reject = fail;
  });
  const result = within(promise, 10, 'late');
  t.mock.timers.tick(10);
  assert.equal(await result, 'late');
  // The test runner fails a test in which a rejection is left unhandled.
  reject(new Error('afterwards'));
  await assert.rejects(promise);
});
