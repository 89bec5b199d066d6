import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { eitherSignal, whenAborted } from '../../../src/base/abortSignals.ts';

function pair() {
  const [one, other] = [new AbortController(), new AbortController()];
  return { one, other, either: eitherSignal(one.signal, other.signal) };
}

test('aborts with the first of two signals, for its reason', () => {
  const [first, second] = [pair(), pair()];
  first.one.abort('one');
  first.other.abort('other');
  second.other.abort('other');
  deepEqual([first.either.signal.reason, second.either.signal.reason], ['one', 'other']);
});

test('is aborted when one of two signals is', () => {
  const aborted = AbortSignal.abort('before');
  const { signal } = new AbortController();
  equal(eitherSignal(aborted, signal).signal.reason, 'before');
  equal(eitherSignal(signal, aborted).signal.reason, 'before');
});

test('follows no signal after disposal', () => {
  const { one, other, either } = pair();
  either.dispose();
  one.abort();
  other.abort();
  equal(either.signal.aborted, false);
});

test('runs once on abort, or immediately when already aborted', () => {
  const runs: string[] = [];
  const later = new AbortController();
  whenAborted(later.signal, () => runs.push('later'));
  whenAborted(AbortSignal.abort(), () => runs.push('at once'));
  later.abort();
  later.abort();
  deepEqual(runs, ['at once', 'later']);
});
