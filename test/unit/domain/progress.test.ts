import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentOf, progressText } from '../../../src/domain/progress.ts';

test('shows progress in percent if the server gives a total', () => {
  const cases = [
    { progress: 1, total: 3, message: 'Reading\u200b' },
    { progress: 1, total: 3 },
    { progress: 7, message: 'Reading' },
    { progress: 7 },
    { progress: 7, total: 0 },
    { progress: 7, total: 5 },
    { progress: -1, total: 5, message: '' },
  ];
  assert.deepEqual(cases.map(progressText), [
    ...['Reading\\u200b (33 %)', '33 %', 'Reading (7)', '7', '7', '100 %', '0 %'],
  ]);
  assert.equal(percentOf({ progress: 7, total: 5 }), 100);
});
