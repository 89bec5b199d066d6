import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PausableTimer } from '../../../src/base/pausableTimer.ts';

test('a timer rings when its time is over, in which pauses do not count', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const timer = new PausableTimer(100);
  let hasRung = false;
  void timer.rings.then(() => {
    hasRung = true;
  });
  const after = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await Promise.resolve();
    return hasRung;
  };
  assert.equal(await after(60), false);
  timer.pause();
  timer.pause();
  assert.equal(await after(1000), false);
  timer.resume();
  timer.resume();
  assert.equal(await after(39), false);
  assert.equal(await after(1), true);
});

test('a timer that was disposed rings no more', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const timer = new PausableTimer(100);
  let hasRung = false;
  void timer.rings.then(() => {
    hasRung = true;
  });
  timer.dispose();
  t.mock.timers.tick(1000);
  await Promise.resolve();
  assert.equal(hasRung, false);
});
