import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canBeOf, exposedName, isExposedAs, plainPair } from '../../src/domain/hub/exposedNames.ts';

/** Servers and tools as people name them, and as nobody should; alike, so that they could clash. */
const part = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc
    .array(fc.constantFrom('a', 'b', '_', '__', '-', '.', ' ', '\0', '_0123abcd', 'ä', '\ud800'), {
      minLength: 1,
      maxLength: 6,
    })
    .map(parts => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('a'.repeat(40), 'a'.repeat(41), `${'a'.repeat(40)}b`),
);
const pair = fc.tuple(part, part);

test('a tool has the name that people would give it', () => {
  assert.equal(exposedName('git', 'git_status'), 'git__git_status');
  assert.equal(exposedName('my-server', 'read-file'), 'my-server__read-file');
  assert.equal(exposedName('git', '_private__tool'), 'git___private__tool');
});

test('a name that could be that of another tool has a hash', () => {
  const pairs = [
    ['a.b', 'c'],
    ['a_b', 'c.d'],
    ['a__b', 'c'],
    ['a_', 'c'],
    ['a', 'b_0123abcd'],
    ['a', '01234567'],
    ['a', ''],
    ['', 'a'],
    ['server-filesystem', 'a_tool_with_a_name_that_goes_on_and_on'],
    ['a-server-with-a-name-that-goes-on-and-on-and-on', 'tool'],
  ] as const;
  assert.deepEqual(
    pairs.map(([server, name]) => exposedName(server, name)),
    [
      'a_b__c_54712fb6',
      'a_b__c_d_39de384d',
      'a__b__c_528239e9',
      'a___c_eb5e1b18',
      'a__b_0123abcd_d667d978',
      'a__01234567_784856f0',
      'a___58a281f6',
      '__a_1958ef6f',
      'server-fil__a_tool_with_a_name_that__2a55ca98',
      'a-server-with-a-name-that-goes__tool_3e834d66',
    ],
  );
});

test('no two tools have the same name', () => {
  const several = fc.uniqueArray(pair, { minLength: 2, maxLength: 40, selector: JSON.stringify });
  fc.assert(
    fc.property(several, pairs => {
      const names = pairs.map(([server, name]) => exposedName(server, name));
      assert.deepEqual([...new Set(names)], names);
    }),
    { numRuns: 2000 },
  );
});

test('a name is one that every client and model takes, and none of the hub itself', () => {
  fc.assert(
    fc.property(pair, ([server, name]) => {
      const exposed = exposedName(server, name);
      assert.match(exposed, /^[A-Za-z0-9_-]{1,45}$/);
      assert.match(exposed, /__/);
    }),
    { numRuns: 5000 },
  );
});

test('a name is that of one tool alone', () => {
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const isSame = one[0] === other[0] && one[1] === other[1];
      const exposed = exposedName(...one);
      assert.deepEqual(
        [isExposedAs(...one, exposed), isExposedAs(...other, exposed)],
        [true, isSame],
      );
    }),
    { numRuns: 5000 },
  );
});

test('a name without a hash says itself what it stands for, one with a hash whose it can be', () => {
  fc.assert(
    fc.property(pair, ([server, name]) => {
      const exposed = exposedName(server, name);
      const read = plainPair(exposed);
      assert.deepEqual(read ?? { server, name }, { server, name });
      assert.equal(canBeOf(server, exposed), read === undefined);
    }),
    { numRuns: 5000 },
  );
});

test('what the hub never called a tool is no name of one', () => {
  const own = ['get-roots', 'read-file', 'list-servers', 'list-tools', 'call-tool'];
  const wrong = ['', '__', 'a__', '__a', 'a_b', 'a.b__c', `a__${'b'.repeat(43)}`];
  assert.deepEqual(
    [...own, ...wrong].map(name => plainPair(name)),
    [...own, ...wrong].map(() => undefined),
  );
  const canBeOfGit = (name: string) => canBeOf('git', name);
  assert.deepEqual([...own, ...wrong, 'git__list', 'hub__list_0123abcd'].filter(canBeOfGit), []);
  // The name itself does not say which of these it is: that server has no such tool then.
  assert.equal(canBeOfGit('github__list_0123abcd'), true);
});
