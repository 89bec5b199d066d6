import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  everyServer,
  isRevocations,
  joinRevocations,
  timesRevoked,
  withRevoked,
} from '../../../../src/domain/consent/revocations.ts';

test('counts revocations of one server and of all servers together', () => {
  const once = withRevoked('files', {});
  const twice = withRevoked(everyServer, withRevoked('files', once));
  const timesOf = (id: string) => [{}, once, twice].map(one => timesRevoked(id, one));
  assert.deepEqual([...timesOf('files'), ...timesOf('git')], [...[0, 1, 3], ...[0, 0, 1]]);
});

test('treats an id from the prototype of objects like any other', () => {
  for (const id of ['toString', '__proto__', 'constructor']) {
    assert.equal(timesRevoked(id, {}), 0);
    const kept = JSON.parse(JSON.stringify(withRevoked(id, withRevoked(id, {}))));
    assert.equal(timesRevoked(id, joinRevocations({}, kept)), 2, id);
  }
});

test('joins the revocations of two windows to the higher counts, in one order', () => {
  const [a, b] = [{ git: 2, files: 1 } as const, { web: 1, files: 4 } as const];
  for (const joined of [joinRevocations(a, b), joinRevocations(b, a)]) {
    assert.equal(JSON.stringify(joined), '{"files":4,"git":2,"web":1}');
  }
});

test('reads stored revocations only if each count can be raised', () => {
  const wrong = [null, 'x', 3, { files: -1 }, { files: '1' }, { files: 2 ** 53 }];
  assert.deepEqual([{}, { files: 3 }, ...wrong].filter(isRevocations), [{}, { files: 3 }]);
});
