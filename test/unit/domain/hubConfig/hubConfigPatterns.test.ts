import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

/** What is read of these patterns, or what is wrong with each. */
function read(pathPatterns: readonly string[]) {
  const git = { command: 'a', pathPatterns };
  const { servers, mistakes } = readHubConfig({ mcpServers: { git } }, '/home/me');
  return {
    patterns: servers[0]?.guard.pathPatterns,
    mistakes: mistakes.map(({ text }) => inEnglish(text)),
  };
}

test('patterns as people write them to find paths are taken as they are', () => {
  const patterns = [
    '--out=(\\S+)',
    '(?:^|\\s)-o\\s*(\\S+)',
    '\\bout\\s*=\\s*"([^"]+)"',
    '(?<path>(?:src|lib|test)/[\\w./-]+)',
    '\\p{L}{3}(?=x)(?<!y)z',
    // The time that it may take is limited when it is tried.
    '(a+)+$',
  ];
  const expected = patterns.map(pattern => new RegExp(pattern, 'u'));
  assert.deepEqual(read(patterns), { patterns: expected, mistakes: [] });
});

test('what is no pattern is a mistake at its place', () => {
  const noPattern = 'must be a regular expression of JavaScript (with its flag "u").';
  const noSize = 'must have 1 to 500 characters.';
  const wrong = ['(', 'a\\-b', '', 'a'.repeat(501)];
  const problems = [noPattern, noPattern, noSize, noSize];
  assert.deepEqual(
    read(wrong).mistakes,
    problems.map((problem, index) => `Server "git": "pathPatterns[${index}]" ${problem}`),
  );
});
