import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TimeSlice, type TimeSliceOptions } from '../../../src/base/timeSlice.ts';

/** A slice on the test's clock, which moves only by `pass`. */
function sliceAt(t: TestContext, options?: TimeSliceOptions) {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const end = new AbortController();
  const slice = new TimeSlice(end.signal, options);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { slice, end, pass };
}

test('a pause after a slice lets other work go on', async t => {
  let pauses = 0;
  const { slice, pass } = sliceAt(t, { onPause: () => pauses++ });
  pass(2);
  assert.equal(slice.isSpent, false);
  await slice.next();
  assert.equal(pauses, 0);
  pass(1);
  assert.equal(slice.isSpent, true);
  let hasGoneOn = false;
  setImmediate(() => {
    hasGoneOn = true;
  });
  await slice.next();
  assert.deepEqual([hasGoneOn, pauses, slice.isSpent], [true, 1, false]);
});

test('work is over after its limit', async t => {
  const { slice, pass } = sliceAt(t, { limit: 10 });
  const endless = new TimeSlice(new AbortController().signal);
  pass(6);
  await slice.pause();
  assert.equal(slice.isOver, false);
  pass(1);
  await slice.pause();
  assert.equal(slice.isOver, true);
  pass(1_000_000);
  await endless.pause();
  assert.equal(endless.isOver, false);
});

test('aborted work ends at its next pause', async t => {
  const { slice, end } = sliceAt(t);
  const pausing = slice.pause();
  end.abort(new Error('enough'));
  await assert.rejects(pausing, /enough/);
});
