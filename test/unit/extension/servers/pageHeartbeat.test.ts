import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageHeartbeat } from '../../../../src/extension/servers/pageHeartbeat.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';
import { TurnedPage } from '../../../support/turnedPage.ts';

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<void> | undefined): Promise<boolean> {
  const pending = Symbol();
  await new Promise(setImmediate);
  return (await Promise.race([promise, pending])) !== pending;
}

test('never waits for a page that answers', async () => {
  const page = new TurnedPage();
  assert.equal(await isSettled(page.heartbeat.answered()), true);
  for (let beat = 0; beat < 100; beat++) {
    await page.pass(1);
    assert.equal(page.heartbeat.answered(), undefined);
  }
  assert.equal(page.calls, 101);
});

test('knows nothing before the first answer', async () => {
  const page = new PageHeartbeat(() => new Promise(() => {}), new TurnedClock().after);
  assert.equal(await isSettled(page.answered()), false);
});

test('ignores an answer older than 5 s, and lets everyone wait for the same call', async () => {
  const page = new TurnedPage();
  await page.pass(1);
  page.goes();
  await page.pass(1);
  assert.equal(page.heartbeat.answered(), undefined);
  await page.pass(1);
  const { calls } = page;
  const waits = [page.heartbeat.answered(), page.heartbeat.answered()];
  const areSettled = async () => [await isSettled(waits[0]), await isSettled(waits[1])];
  await page.pass(5);
  assert.deepEqual([await areSettled(), page.calls], [[false, false], calls]);
  page.returns();
  await page.pass(1);
  assert.deepEqual(await areSettled(), [true, true]);
  assert.equal(page.heartbeat.answered(), undefined);
});

test('counts an answer from its call, and calls the page again after a late one', async () => {
  const page = new TurnedPage();
  await page.pass(1);
  page.goes();
  await page.pass(5);
  const waits = page.heartbeat.answered();
  const { calls } = page;
  page.answersOne();
  assert.deepEqual([await isSettled(waits), page.calls], [false, calls]);
  await page.pass(1);
  assert.deepEqual([await isSettled(waits), page.calls], [false, calls + 1]);
  page.answersOne();
  assert.equal(await isSettled(waits), true);
});

test('counts an answer for 5 s even if the extension host was busy', async () => {
  const page = new TurnedPage();
  await page.pass(1);
  page.goes();
  page.clock.now += 4999;
  assert.equal(page.heartbeat.answered(), undefined);
  page.clock.now += 1;
  const waits = page.heartbeat.answered();
  assert.equal(await isSettled(waits), false);
  page.returns();
  await page.pass(1);
  assert.equal(await isSettled(waits), true);
});

test('treats a page as gone after 30 s without an answer, and does not wait for it', async () => {
  const page = new TurnedPage();
  const { heartbeat } = page;
  const told: boolean[] = [];
  await page.pass(1);
  heartbeat.onDidChange(() => told.push(heartbeat.isGone));
  page.goes();
  await page.pass(11);
  assert.deepEqual([heartbeat.isGone, told], [false, []]);
  const waits = heartbeat.answered();
  await page.pass(1);
  assert.deepEqual([heartbeat.isGone, told], [true, [true]]);
  assert.equal(await isSettled(waits), true);
  assert.equal(heartbeat.answered(), undefined);
  await page.pass(100);
  page.returns();
  await page.pass(1);
  assert.deepEqual([heartbeat.isGone, told], [false, [true, false]]);
});

test('gives a page more time after the computer slept', async () => {
  const page = new TurnedPage();
  await page.pass(1);
  page.goes();
  await page.pass(1);
  // All timers of that time are due at once when it wakes.
  page.clock.pass(3_600_000);
  assert.equal(page.heartbeat.isGone, false);
  page.returns();
  await page.pass(1);
  assert.equal(page.heartbeat.answered(), undefined);
});

test('does not count a failed call, and calls again with the next beat', async () => {
  const clock = new TurnedClock();
  const answers = [() => Promise.reject(new Error('Canceled')), () => Promise.resolve()];
  const page = new PageHeartbeat(() => answers.shift()?.() ?? new Promise(() => {}), clock.after);
  const waits = page.answered();
  assert.equal(await isSettled(waits), false);
  clock.pass(2500);
  assert.equal(await isSettled(waits), true);
});

test('calls nothing after disposal', async () => {
  const page = new TurnedPage();
  page.heartbeat.dispose();
  await page.pass(3);
  assert.deepEqual([page.calls, page.clock.waiting], [1, 0]);
});
