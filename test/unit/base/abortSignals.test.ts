import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { eitherSignal, whenAborted } from '../../../src/base/abortSignals.ts';

function pair() {
  const [one, other] = [new AbortController(), new AbortController()];
  return { one, other, either: eitherSignal(one.signal, other.signal) };
}

test('it is aborted with the first of the two, for its reason', () => {
  const [first, second] = [pair(), pair()];
  first.one.abort('one');
  first.other.abort('other');
  second.other.abort('other');
  deepEqual([first.either.signal.reason, second.either.signal.reason], ['one', 'other']);
});

test('of two, one of which is aborted already, it is aborted', () => {
  const aborted = AbortSignal.abort('before');
  const { signal } = new AbortController();
  equal(eitherSignal(aborted, signal).signal.reason, 'before');
  equal(eitherSignal(signal, aborted).signal.reason, 'before');
});

test('once it is disposed of, it follows neither', () => {
  const { one, other, either } = pair();
  either.dispose();
  one.abort();
  other.abort();
  equal(either.signal.aborted, false);
});

test('what waits for a signal runs once, at once when it is aborted already', () => {
  const runs: string[] = [];
  const later = new AbortController();
  whenAborted(later.signal, () => runs.push('later'));
  whenAborted(AbortSignal.abort(), () => runs.push('at once'));
  later.abort();
  later.abort();
  deepEqual(runs, ['at once', 'later']);
});
