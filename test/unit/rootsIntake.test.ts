import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { RootsIntake } from '../../src/server/hub/children/rootsIntake.ts';
import { TurnedClock } from '../support/turnedClock.ts';

let clock: TurnedClock;
let intake: RootsIntake;
/** Each lets the server show its next sign of life. */
let pings: (() => void)[];

beforeEach(() => {
  clock = new TurnedClock();
  pings = [];
  intake = new RootsIntake(clock.after, () => new Promise<void>(resolve => pings.push(resolve)));
});

async function showLife(times = 1): Promise<void> {
  for (let shown = 0; shown < times; shown++) {
    pings.shift()?.();
    await setImmediate();
  }
}

/** Whether calls are let through when, but for that, it has shown the last signs of life. */
async function isOverWithLife(): Promise<boolean[]> {
  await showLife(5);
  const before = intake.isOver;
  await showLife();
  return [before, intake.isOver];
}

/** Whether calls are let through after each of the times, in milliseconds from the one before. */
function isOverAfter(...times: readonly number[]): boolean[] {
  return times.map(time => {
    clock.pass(time);
    return intake.isOver;
  });
}

test('a server that was just started may ask until a moment after it shows life, once', async () => {
  intake.begin();
  assert.deepEqual(isOverAfter(899), [false]);
  await showLife();
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
  intake.end();
  intake.begin();
  assert.equal(intake.isOver, true);
});

test('one that shows no life is waited for a second', () => {
  intake.begin();
  assert.deepEqual(isOverAfter(999, 1), [false, true]);
});

test('one that asks is called a moment after it has shown life twice since its answer', async () => {
  intake.begin();
  intake.answered();
  // The first one is from before the answer.
  await showLife(2);
  assert.deepEqual(isOverAfter(60), [false]);
  await showLife();
  assert.deepEqual(isOverAfter(49, 1), [false, false]);
  assert.deepEqual(await isOverWithLife(), [false, true]);
});

test('one that asked before the handshake was over is not held back for the handshake', async () => {
  intake.answered();
  intake.begin();
  await showLife(2);
  clock.pass(50);
  assert.deepEqual(await isOverWithLife(), [false, true]);
});

test('a change is waited for by one that asks, and by no other', async () => {
  intake.renew();
  assert.equal(intake.isOver, true);
  intake.answered();
  await showLife(2);
  clock.pass(50);
  await showLife(6);
  intake.renew();
  assert.deepEqual(isOverAfter(999, 1), [false, true]);
  intake.renew();
  intake.answered();
  await showLife(2);
  assert.deepEqual(isOverAfter(49, 1), [false, false]);
  assert.deepEqual(await isOverWithLife(), [false, true]);
});

test('one that left a ping unanswered is not pinged any more, until it answers after all', async () => {
  intake.answered();
  assert.deepEqual(isOverAfter(999, 1), [false, true]);
  intake.renew();
  intake.answered();
  assert.equal(pings.length, 1);
  assert.deepEqual(isOverAfter(49, 1), [false, true]);
  await showLife(2);
  intake.renew();
  intake.answered();
  assert.deepEqual(isOverAfter(999), [false]);
});

test('one that asks within every call is held back once for each change, and never for longer than a second', async () => {
  intake.answered();
  await showLife(2);
  clock.pass(50);
  assert.deepEqual(await isOverWithLife(), [false, true]);
  intake.answered();
  assert.equal(intake.isOver, true);
  intake.renew();
  for (let asked = 0; asked < 9; asked++) {
    intake.answered();
    assert.deepEqual(isOverAfter(100), [false]);
  }
  assert.deepEqual(isOverAfter(99, 1), [false, true]);
});

test('one that asks again at once is waited for from its last answer on', async () => {
  intake.answered();
  await showLife();
  intake.answered();
  await showLife();
  assert.deepEqual(isOverAfter(60), [false]);
  await showLife(2);
  assert.deepEqual(isOverAfter(49, 1), [false, false]);
  assert.deepEqual(await isOverWithLife(), [false, true]);
});

test('who waits goes on when it is over, when the server ends, or when it is called off', async () => {
  const { signal } = new AbortController();
  intake.begin();
  const first = intake.over(signal);
  clock.pass(1000);
  await first;
  intake.answered();
  const second = intake.over(signal);
  intake.end();
  await second;
  intake.answered();
  const callOff = new AbortController();
  const third = intake.over(callOff.signal);
  callOff.abort(new Error('enough'));
  await assert.rejects(third, /enough/);
});
