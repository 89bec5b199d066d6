import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelLevelOf, logLevelOf, logLevels } from '../../../src/domain/logLevels.ts';

test('maps each level of the protocol to one of an output channel', () => {
  assert.deepEqual(logLevels.map(channelLevelOf), [
    ...['debug', 'info', 'info', 'warn'],
    ...['error', 'error', 'error', 'error'],
  ]);
});

test('maps an unknown level to information', () => {
  const names: unknown[] = ['alert', 'loud', 'toString', undefined, 3];
  assert.deepEqual(names.map(logLevelOf), ['alert', 'info', 'info', 'info', 'info']);
});
