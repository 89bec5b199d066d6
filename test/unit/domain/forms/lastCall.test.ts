import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LastCall, withCall } from '../../../../src/domain/forms/lastCall.ts';

/** The arguments of calls that are made one after the other. */
function kept(...calls: readonly object[]): unknown[] {
  const all = calls.reduce<readonly LastCall[]>(
    (before, args, at) => withCall(before, at, args as LastCall['args']),
    [],
  );
  return all.map(({ args }) => args);
}

test('the latest ten calls are kept, the latest first, each once', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ at }));
  assert.deepEqual(kept(...many), many.slice(2).toReversed());
  assert.deepEqual(kept({ a: 1, b: 2 }, { a: 2 }, { b: 2, a: 1 }), [{ b: 2, a: 1 }, { a: 2 }]);
});

test('what looks like a secret is not kept, however deep it is', () => {
  const args = {
    path: 'a',
    apiKey: 'x',
    login: { user: 'b', password: 'y' },
    all: [{ token: 'z' }],
  };
  assert.deepEqual(kept(args), [{ path: 'a', login: { user: 'b' }, all: [{}] }]);
});

test('a call that is too long for a form is not kept', () => {
  assert.deepEqual(kept({ a: 1 }, { text: 'x'.repeat(10_001) }), [{ a: 1 }]);
});

test('names that objects have by themselves are kept like others', () => {
  const args = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
  assert.equal(JSON.stringify(kept(args)), JSON.stringify([args]));
});
