import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskingFacts, askingOf } from '../../src/domain/servers/asking.ts';

const started: AskingFacts = {
  era: 'legacy',
  isTold: true,
  isRefused: false,
  times: 0,
  last: undefined,
  isSilent: false,
};

test('a server that has just started is not accused of never asking; one that had time is', () => {
  assert.deepEqual(askingOf(started), { kind: 'waiting' });
  assert.deepEqual(askingOf({ ...started, isSilent: true }), { kind: 'silent' });
});

test('a server of the later revisions can ask only when it is called', () => {
  assert.deepEqual(askingOf({ ...started, era: 'modern', isSilent: true }), { kind: 'in-calls' });
});

test('a server that asked is told of with how often and when, whatever became of it since', () => {
  const asked = { ...started, times: 2, last: 1000, isRefused: true };
  assert.deepEqual(askingOf(asked), { kind: 'asked', era: 'legacy', times: 2, last: 1000 });
});

test('a server that can not ask is told of as that, and not as silent', () => {
  const silent = { ...started, isSilent: true };
  assert.deepEqual(askingOf({ ...silent, isRefused: true }), { kind: 'refused' });
  const given = { ...silent, isTold: false, isRefused: true, last: 1000 };
  assert.deepEqual(askingOf(given), { kind: 'given' });
});
