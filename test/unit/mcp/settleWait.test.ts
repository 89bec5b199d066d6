import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SettleWait } from '../../../src/mcp/settleWait.ts';
import { TurnedClock } from '../../support/turnedClock.ts';

let clock: TurnedClock;
let wait: SettleWait;
/** Each lets the server answer its next ping. */
let pings: (() => void)[];

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

describe('how long calls wait for the questions of a server', () => {
  beforeEach(() => {
    clock = new TurnedClock();
    pings = [];
    const ping = () => new Promise<void>(resolve => pings.push(resolve));
    wait = new SettleWait(clock.after, ping, () => clock.now);
  });

  test('a server that was just started may ask until it has answered ten pings, once', async () => {
    wait.begin();
    await work();
    wait.end();
    wait.begin();
    assert.equal(wait.isOver, true);
  });

  test('one that takes its time to answer is given as much between its pings', async () => {
    wait.begin();
    for (let ping = 1; ping <= 10; ping++) {
      assert.deepEqual(await isOverAfter(40), [false]);
      await answerPing();
      assert.deepEqual(await isOverAfter(39, 1), [false, ping === 10]);
    }
  });

  test('one that answers no ping is waited for three seconds', async () => {
    wait.begin();
    assert.deepEqual(await isOverAfter(2999, 1), [false, true]);
  });

  test('one that asks is called once it has answered ten pings since', async () => {
    wait.begin();
    wait.answered();
    // The first one is from before the answer.
    await answerPing();
    await work();
  });

  test('a change is waited for by one that asks, and by no other', async () => {
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

  test('one that asks within every call is held back once for each change, and never for longer than three seconds', async () => {
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

  test('one that asks again at once is waited for from its last answer on', async () => {
    wait.answered();
    wait.answered();
    await answerPing();
    await work();
  });

  test('who waits goes on when it is over, when the server ends, or when it is called off', async () => {
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
});
