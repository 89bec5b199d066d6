import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameCandidates, offeredName } from '../../../../src/domain/hubConfig/offeredNames.ts';
import { effort } from '../../../support/effort.ts';

/** Servers and tools with usual and bad names, similar enough to clash. */
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

test('gives a tool the name that people expect', () => {
  assert.equal(offeredName('git', 'git_status'), 'git__git_status');
  assert.equal(offeredName('my-server', 'read-file'), 'my-server__read-file');
  assert.equal(offeredName('git', '_private__tool'), 'git___private__tool');
});

test('adds a hash to a name that another tool could have', () => {
  const rows = [
    ['a.b', 'c', 'a_b__c_54712fb6'],
    ['a_b', 'c.d', 'a_b__c_d_39de384d'],
    ['a__b', 'c', 'a__b__c_528239e9'],
    ['a_', 'c', 'a___c_eb5e1b18'],
    ['a', 'b_0123abcd', 'a__b_0123abcd_d667d978'],
    ['a', '01234567', 'a__01234567_784856f0'],
    ['a', '', 'a___58a281f6'],
    ['', 'a', '__a_1958ef6f'],
    [
      ...['server-filesystem', 'a_tool_with_a_name_that_goes_on_and_on'],
      'server-fil__a_tool_with_a_name_that__2a55ca98',
    ],
    [
      ...['a-server-with-a-name-that-goes-on-and-on-and-on', 'tool'],
      'a-server-with-a-name-that-goes__tool_3e834d66',
    ],
  ];
  for (const [server = '', name = '', offered] of rows) {
    assert.equal(offeredName(server, name), offered);
  }
});

test('gives names that every client and model accepts, and none of the hub’s own', () => {
  fc.assert(
    fc.property(pair, ([server, name]) => {
      const offered = offeredName(server, name);
      assert.match(offered, /^[A-Za-z0-9_-]{1,45}$/);
      assert.match(offered, /__/);
    }),
    { numRuns: 500 * effort },
  );
});

test('gives each tool a unique name', () => {
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const isSame = one[0] === other[0] && one[1] === other[1];
      const offered = offeredName(...one);
      assert.equal(offered === offeredName(...other), isSame);
    }),
    { numRuns: 500 * effort },
  );
});

test('finds the tool of a name without a hash, and the server of a name with one', () => {
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

test('finds no tool for a name that the hub never gave', () => {
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
