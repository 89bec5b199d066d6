import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isOfferedAs,
  nameCandidates,
  offeredName,
} from '../../../../src/domain/hubConfig/offeredNames.ts';
import { effort } from '../../../support/effort.ts';

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
  assert.equal(offeredName('git', 'git_status'), 'git__git_status');
  assert.equal(offeredName('my-server', 'read-file'), 'my-server__read-file');
  assert.equal(offeredName('git', '_private__tool'), 'git___private__tool');
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
    pairs.map(([server, name]) => offeredName(server, name)),
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

test('a name is one that every client and model takes, and none of the hub itself', () => {
  fc.assert(
    fc.property(pair, ([server, name]) => {
      const offered = offeredName(server, name);
      assert.match(offered, /^[A-Za-z0-9_-]{1,45}$/);
      assert.match(offered, /__/);
    }),
    { numRuns: 500 * effort },
  );
});

test('a name is that of one tool alone', () => {
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const isSame = one[0] === other[0] && one[1] === other[1];
      const offered = offeredName(...one);
      assert.deepEqual(
        [isOfferedAs(...one, offered), isOfferedAs(...other, offered)],
        [true, isSame],
      );
    }),
    { numRuns: 500 * effort },
  );
});

test('a name without a hash says itself what it stands for, one with a hash whose it can be', () => {
  fc.assert(
    fc.property(pair, ([server, name]) => {
      const offered = offeredName(server, name);
      const [{ own } = { own: '' }, ...others] = nameCandidates(offered, [server]);
      const isHashed = offered !== `${server}__${name}`;
      assert.deepEqual([own, others], [isHashed ? undefined : name, []]);
    }),
    { numRuns: 500 * effort },
  );
});

test('what the hub never called a tool is no name of one', () => {
  const own = ['get-roots', 'read-file', 'list-servers', 'list-tools', 'call-tool'];
  const wrong = ['', '__', 'a__', '__a', 'a_b', 'a.b__c', `a__${'b'.repeat(43)}`];
  const servers = ['git', 'a', 'a.b', 'a_b'];
  assert.deepEqual(
    [...own, ...wrong, 'hub__list_0123abcd'].flatMap(name => nameCandidates(name, servers)),
    [],
  );
  // The name itself does not say which of these it is: that server has no such tool then.
  assert.deepEqual(nameCandidates('github__list_0123abcd', ['git']), [
    { server: 'git', own: undefined },
  ]);
  assert.deepEqual(nameCandidates('github__list', ['git']), []);
});
