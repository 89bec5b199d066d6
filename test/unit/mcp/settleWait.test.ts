import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SettleWait } from '../../../src/mcp/settleWait.ts';
import { TurnedClock } from '../../support/turnedClock.ts';

let clock: TurnedClock;
let wait: SettleWait;
/** Each lets the server show its next sign of life. */
let pings: (() => void)[];

beforeEach(() => {
  clock = new TurnedClock();
  pings = [];
  const ping = () => new Promise<void>(resolve => pings.push(resolve));
  wait = new SettleWait(clock.after, ping, () => clock.now);
});

async function showLife(): Promise<void> {
  pings.shift()?.();
  await setImmediate();
}

/** The server answers its pings, and so gets the time to work on what came before them. */
async function work(): Promise<void> {
  for (let ping = 1; ping <= 4; ping++) {
    assert.equal(wait.isOver, false);
    await showLife();
    clock.pass(250);
  }
}

/** Whether calls are let through after each of the times, in milliseconds from the one before. */
function isOverAfter(...times: readonly number[]): boolean[] {
  return times.map(time => {
    clock.pass(time);
    return wait.isOver;
  });
}

test('a server that was just started may ask until it has shown life a few times, once', async () => {
  wait.begin();
  assert.deepEqual(isOverAfter(2000), [false]);
  await work();
  assert.equal(wait.isOver, true);
  wait.end();
  wait.begin();
  assert.equal(wait.isOver, true);
});

test('one that gets no time to work is given more', async () => {
  wait.begin();
  for (let ping = 1; ping <= 4; ping++) {
    assert.deepEqual(isOverAfter(40), [false]);
    await showLife();
    assert.deepEqual(isOverAfter(159, 1), [false, ping === 4]);
  }
});

test('one that shows no life is waited for three seconds', () => {
  wait.begin();
  assert.deepEqual(isOverAfter(2999, 1), [false, true]);
});

test('one that asks is called once it has shown life a few times since its answer', async () => {
  wait.begin();
  wait.answered(0);
  // The first one is from before the answer.
  await showLife();
  assert.deepEqual(isOverAfter(150), [false]);
  await work();
  assert.equal(wait.isOver, true);
});

test('the more roots one was handed, the more often it has to show life', async () => {
  wait.answered(11);
  for (let ping = 1; ping <= 10; ping++) {
    assert.equal(wait.isOver, false);
    await showLife();
    clock.pass(250);
  }
  assert.equal(wait.isOver, true);
});

test('one that answers at once has 100 ms to ask all the same, and 20 to take its roots in', async () => {
  wait.begin();
  for (let ping = 1; ping <= 4; ping++) {
    await showLife();
    assert.deepEqual(isOverAfter(24, 1), [false, ping === 4]);
  }
  wait.answered(0);
  for (let ping = 1; ping <= 4; ping++) {
    assert.equal(wait.isOver, false);
    await showLife();
    assert.deepEqual(isOverAfter(4, 1), [false, ping === 4]);
  }
});

test('one that asked before the handshake was over is not held back for the handshake', async () => {
  wait.answered(0);
  wait.begin();
  // One ping is from before the other.
  await showLife();
  await work();
  assert.equal(wait.isOver, true);
});

test('a change is waited for by one that asks, and by no other', async () => {
  wait.renew();
  assert.equal(wait.isOver, true);
  wait.answered(0);
  await work();
  wait.renew();
  assert.deepEqual(isOverAfter(2999, 1), [false, true]);
  wait.renew();
  wait.answered(0);
  await work();
  assert.equal(wait.isOver, true);
});

test('one that asks within every call is held back once for each change, and never for longer than three seconds', async () => {
  wait.answered(0);
  await work();
  assert.equal(wait.isOver, true);
  wait.answered(0);
  assert.equal(wait.isOver, true);
  wait.renew();
  for (let asked = 0; asked < 9; asked++) {
    wait.answered(0);
    assert.deepEqual(isOverAfter(300), [false]);
  }
  assert.deepEqual(isOverAfter(299, 1), [false, true]);
});

test('one that asks again at once is waited for from its last answer on', async () => {
  wait.answered(0);
  wait.answered(0);
  await showLife();
  assert.deepEqual(isOverAfter(150), [false]);
  await work();
  assert.equal(wait.isOver, true);
});

test('who waits goes on when it is over, when the server ends, or when it is called off', async () => {
  const { signal } = new AbortController();
  wait.begin();
  const first = wait.over(signal);
  clock.pass(3000);
  await first;
  wait.answered(0);
  const second = wait.over(signal);
  wait.end();
  await second;
  wait.answered(0);
  const callOff = new AbortController();
  const third = wait.over(callOff.signal);
  callOff.abort(new Error('enough'));
  await assert.rejects(third, /enough/);
});
