import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathPattern } from '../../src/domain/hub/hubConfigPattern.ts';

function problems(texts: readonly string[]) {
  return texts.map(text => {
    const read = pathPattern(text);
    return read.ok ? '' : read.problem.split(':')[0];
  });
}

test('patterns as people write them to find paths are taken as they are', () => {
  const patterns = [
    '--out=(\\S+)',
    '(?:^|\\s)-o\\s*(\\S+)',
    '^file=(.*)$',
    '\\bout\\s*=\\s*"([^"]+)"',
    '(?<path>(?:src|lib|test)/[\\w./-]+)',
    '[)(*+?|{}]+',
    '\\(\\*(.+?)\\*\\)',
    '(?:ab){2,5}',
    '(?:a|b)?c',
    '\\p{L}{3}(?=x)(?<!y)z',
    'a{20}',
  ];
  assert.deepEqual(
    problems(patterns),
    patterns.map(() => ''),
  );
  assert.deepEqual(pathPattern('--out=(\\S+)'), { ok: true, pattern: /--out=(\S+)/u });
});

test('patterns that some text keeps busy for ever are refused', () => {
  const patterns = [
    '(a+)+$',
    '(?:a*)*$',
    '(?<x>a|a)*$',
    '((a?)){30}$',
    '(?:(?:a|b)c)+',
    '([\\w.-]+/){2,}',
    '(a{1,9}){1,9}$',
    '(?:x(?=a+)y)*',
    'a*a*a*a*$',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    `${'(?:a|a)'.repeat(30)}$`,
    '(a)\\1',
    '(?<n>a)\\k<n>',
  ];
  assert.deepEqual(
    problems(patterns),
    patterns.map(() => 'could take for ever'),
  );
});

test('what is no pattern of a sensible size is refused', () => {
  const noPattern = 'must be a regular expression of JavaScript (with its flag "u").';
  const noSize = 'must have 1 to 500 characters.';
  assert.deepEqual(problems(['', 'a'.repeat(501), '(', 'a\\-b']), [
    noSize,
    noSize,
    noPattern,
    noPattern,
  ]);
});

test('no pattern that is taken needs long for a short text made of its own letters', () => {
  const parts = ['a', 'b', '.', '\\w', '[ab]', '(', '(?:', ')', '|', '*', '+', '?', '{2,}', '{3}'];
  const source = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map(all => all.join(''));
  let taken = 0;
  fc.assert(
    fc.property(source, text => {
      const read = pathPattern(text);
      if (read.ok) {
        taken += 1;
        const start = process.cpuUsage();
        read.pattern.exec(`${'a'.repeat(60)}!`);
        new RegExp(`(?:${text})$`, 'u').exec(`${'a'.repeat(60)}!`);
        const { user } = process.cpuUsage(start);
        assert.ok(user < 2_000_000, `took ${user} µs`);
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(taken > 100, `${taken} were taken`);
});
