import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsInOrder, noFaults } from '../../../../src/domain/servers/serverFaults.ts';

const megabyte = 1024 * 1024;

test('of a server without faults there is nothing to tell', () => {
  assert.deepEqual(faultsInOrder(noFaults, undefined), []);
});

test('what somebody waits for is told first, and last what was merely skipped', () => {
  const calls = [
    { tool: 'dig', since: 1 },
    { tool: 'fill', since: 2 },
  ];
  const faults = {
    overdueCalls: calls,
    floodsRequests: true,
    floodsNotifications: true,
    messagesLeftOut: 9,
    rubbishLines: 7,
    longestRubbish: 100 * megabyte + 3,
    strayAnswers: 2,
  };
  assert.deepEqual(faultsInOrder(faults, undefined), [
    ...calls.map(call => ({ kind: 'overdue-call', call })),
    { kind: 'request-flood' },
    { kind: 'notification-flood' },
    { kind: 'message-flood', count: 9 },
    { kind: 'long-line', megabytes: 100 },
    { kind: 'rubbish', count: 7 },
    { kind: 'strays', count: 2 },
  ]);
});

test('a line of usual length is no long line', () => {
  const faults = { ...noFaults, rubbishLines: 1, longestRubbish: 5000 };
  assert.deepEqual(faultsInOrder(faults, undefined), [{ kind: 'rubbish', count: 1 }]);
});

test('how a server ended is told before what it did while it ran', () => {
  const faults = { ...noFaults, strayAnswers: 1 };
  const kinds = (force: 'terminate' | 'kill' | undefined, leftBehind: number) =>
    faultsInOrder(faults, { force, leftBehind }).map(({ kind }) => kind);
  assert.deepEqual(kinds('kill', 0), ['killed', 'strays']);
  assert.deepEqual(kinds('terminate', 0), ['terminated', 'strays']);
  assert.deepEqual(kinds(undefined, 2), ['left-behind', 'strays']);
});
