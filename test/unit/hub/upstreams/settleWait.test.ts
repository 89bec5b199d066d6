import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SettleWait } from '../../../../src/hub/upstreams/settleWait.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

let clock: TurnedClock;
let wait: SettleWait;
/** Each lets the server show its next sign of life. */
let pings: (() => void)[];

beforeEach(() => {
  clock = new TurnedClock();
  pings = [];
  wait = new SettleWait(clock.after, () => new Promise<void>(resolve => pings.push(resolve)));
});

async function showLife(): Promise<void> {
  pings.shift()?.();
  await setImmediate();
}

/** Whether calls are let through after each of the times, in milliseconds from the one before. */
function isOverAfter(...times: readonly number[]): boolean[] {
  return times.map(time => {
    clock.pass(time);
    return wait.isOver;
  });
}

test('a server that was just started may ask until a moment after it shows life, once', async () => {
  wait.begin();
  assert.deepEqual(isOverAfter(899), [false]);
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
  wait.end();
  wait.begin();
  assert.equal(wait.isOver, true);
});

test('one that shows no life is waited for a second', () => {
  wait.begin();
  assert.deepEqual(isOverAfter(999, 1), [false, true]);
});

test('one that asks is called a moment after it has shown life since its answer', async () => {
  wait.begin();
  wait.answered();
  // The first one is from before the answer.
  await showLife();
  assert.deepEqual(isOverAfter(150), [false]);
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('one that asked before the handshake was over is not held back for the handshake', async () => {
  wait.answered();
  wait.begin();
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('a change is waited for by one that asks, and by no other', async () => {
  wait.renew();
  assert.equal(wait.isOver, true);
  wait.answered();
  await showLife();
  clock.pass(100);
  wait.renew();
  assert.deepEqual(isOverAfter(999, 1), [false, true]);
  wait.renew();
  wait.answered();
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('one that asks within every call is held back once for each change, and never for longer than a second', async () => {
  wait.answered();
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
  wait.answered();
  assert.equal(wait.isOver, true);
  wait.renew();
  for (let asked = 0; asked < 9; asked++) {
    wait.answered();
    assert.deepEqual(isOverAfter(100), [false]);
  }
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('one that asks again at once is waited for from its last answer on', async () => {
  wait.answered();
  wait.answered();
  await showLife();
  assert.deepEqual(isOverAfter(150), [false]);
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('who waits goes on when it is over, when the server ends, or when it is called off', async () => {
  const { signal } = new AbortController();
  wait.begin();
  const first = wait.over(signal);
  clock.pass(1000);
  await first;
  wait.answered();
  const second = wait.over(signal);
  wait.end();
  await second;
  wait.answered();
  const callOff = new AbortController();
  const third = wait.over(callOff.signal);
  callOff.abort(new Error('enough'));
  await assert.rejects(third, /enough/);
});
