import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, cutMiddle } from '../../src/domain/cut.ts';

test('a text is cut at its end, and no character in two', () => {
  assert.deepEqual([cut('abc', 3), cut('abcd', 3), cut('ab😀d', 3)], ['abc', 'abc…', 'ab…']);
});

test('a text is cut in its middle, with how much was left out', () => {
  assert.equal(cutMiddle('abcdef', 6), 'abcdef');
  assert.equal(cutMiddle('abcdefghij', 6), 'abcd …(4 more)… ij');
  assert.equal(cutMiddle('abc😀efg😀ij', 6), 'abc …(7 more)… ij');
});
