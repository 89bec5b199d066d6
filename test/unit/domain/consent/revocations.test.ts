import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  everyServer,
  isRevocations,
  joinRevocations,
  timesRevoked,
  withRevoked,
} from '../../../../src/domain/consent/revocations.ts';

test('a server is revoked as often as it was alone and with every one', () => {
  const once = withRevoked('files', {});
  const twice = withRevoked(everyServer, withRevoked('files', once));
  const timesOf = (id: string) => [{}, once, twice].map(one => timesRevoked(id, one));
  assert.deepEqual(
    [timesOf('files'), timesOf('git')],
    [
      [0, 1, 3],
      [0, 0, 1],
    ],
  );
});

test('an id that every object knows is one as any other', () => {
  for (const id of ['toString', '__proto__', 'constructor']) {
    assert.equal(timesRevoked(id, {}), 0);
    const kept = JSON.parse(JSON.stringify(withRevoked(id, withRevoked(id, {}))));
    assert.equal(timesRevoked(id, joinRevocations({}, kept)), 2, id);
  }
});

test('what two windows know of revocations is the higher count of each, in one order', () => {
  const [a, b] = [
    { git: 2, files: 1 },
    { web: 1, files: 4 },
  ];
  for (const joined of [joinRevocations(a, b), joinRevocations(b, a)]) {
    assert.equal(JSON.stringify(joined), '{"files":4,"git":2,"web":1}');
  }
});

test('a stored value is revocations where each is a count that can be raised', () => {
  const values = [
    {},
    { files: 3 },
    null,
    'x',
    3,
    { files: -1 },
    { files: '1' },
    { files: 2 ** 53 },
  ];
  assert.deepEqual(values.map(isRevocations), [true, true, ...Array(6).fill(false)]);
});
