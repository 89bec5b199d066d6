import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SettleWait } from '../../../../src/mcp/link/settleWait.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

let clock: TurnedClock;
let wait: SettleWait;
/** Each lets the server answer its next ping. */
let pings: (() => void)[];

beforeEach(() => {
  clock = new TurnedClock();
  pings = [];
  const ping = () => new Promise<void>(resolve => pings.push(resolve));
  wait = new SettleWait(clock.after, ping, () => clock.now);
});

async function answerPing(): Promise<void> {
  pings.shift()?.();
  await setImmediate();
}

/** The server answers its pings at once, and so gets the time to work on what came before them. */
async function work(): Promise<void> {
  for (let ping = 1; ping <= 10; ping++) {
    await answerPing();
    assert.deepEqual(await isOverAfter(9, 1), [false, ping === 10]);
  }
}

/** Whether calls are let through after each of the times, in milliseconds from the one before. */
async function isOverAfter(...times: readonly number[]): Promise<boolean[]> {
  const over: boolean[] = [];
  for (const time of times) {
    clock.pass(time);
    await setImmediate();
    over.push(wait.isOver);
  }
  return over;
}

test('a new server may ask until it has answered ten pings, once', async () => {
  wait.begin();
  await work();
  wait.end();
  wait.begin();
  assert.equal(wait.isOver, true);
});

test('a slow server gets as much time between pings as it takes to answer', async () => {
  wait.begin();
  for (let ping = 1; ping <= 10; ping++) {
    assert.deepEqual(await isOverAfter(40), [false]);
    await answerPing();
    assert.deepEqual(await isOverAfter(39, 1), [false, ping === 10]);
  }
});

test('waits three seconds for a server that answers no ping', async () => {
  wait.begin();
  assert.deepEqual(await isOverAfter(2999, 1), [false, true]);
});

test('calls a server that asks after ten answered pings', async () => {
  wait.begin();
  wait.answered();
  // The first one is from before the answer.
  await answerPing();
  await work();
});

test('waits after a change only for a server that asks', async () => {
  wait.renew();
  assert.equal(wait.isOver, true);
  wait.answered();
  await work();
  wait.renew();
  assert.deepEqual(await isOverAfter(2999, 1), [false, true]);
  wait.renew();
  wait.answered();
  await work();
});

test('delays a server that asks in every call once for each change, for at most three seconds', async () => {
  wait.answered();
  await work();
  wait.answered();
  assert.equal(wait.isOver, true);
  wait.renew();
  for (let asked = 0; asked < 9; asked++) {
    wait.answered();
    assert.deepEqual(await isOverAfter(300), [false]);
  }
  assert.deepEqual(await isOverAfter(299, 1), [false, true]);
});

test('waits for a server that asks again at once from its last answer on', async () => {
  wait.answered();
  wait.answered();
  await answerPing();
  await work();
});

test('ends a wait when its time is over, the server ends, or the call is cancelled', async () => {
  const { signal } = new AbortController();
  wait.begin();
  const first = wait.over(signal);
  clock.pass(3000);
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
