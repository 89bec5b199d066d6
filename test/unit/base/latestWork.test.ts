import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { LatestWork } from '../../../src/base/latestWork.ts';

test('waits for the work that replaced another', async () => {
  const latest = new LatestWork();
  await latest.settled();
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>(resolve => ends.push(resolve));
  const told: string[] = [];
  const first = latest.begin(work()).then(() => told.push('first'));
  const second = latest.begin(work()).then(() => told.push('second'));
  ends[0]?.();
  await setImmediate();
  assert.deepEqual(told, []);
  ends[1]?.();
  await Promise.all([first, second, latest.settled()]);
  assert.deepEqual(told.sort(), ['first', 'second']);
});
