import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  channelLevelOf,
  higherLevel,
  logLevelOf,
  logLevels,
} from '../../../src/domain/logLevels.ts';

test('each level of the protocol has its place in an output channel', () => {
  assert.deepEqual(
    logLevels.map(level => [level, channelLevelOf(level)]),
    [
      ['debug', 'debug'],
      ['info', 'info'],
      ['notice', 'info'],
      ['warning', 'warn'],
      ['error', 'error'],
      ['critical', 'error'],
      ['alert', 'error'],
      ['emergency', 'error'],
    ],
  );
});

test('what is no level of the protocol counts as information', () => {
  const names: unknown[] = ['alert', 'loud', 'toString', undefined, 3];
  assert.deepEqual(names.map(logLevelOf), ['alert', 'info', 'info', 'info', 'info']);
});

test('of two levels the one that matters more is the higher, in either order', () => {
  assert.equal(higherLevel('debug', 'critical'), 'critical');
  assert.equal(higherLevel('critical', 'debug'), 'critical');
});
