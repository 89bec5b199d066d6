import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cut,
  cutMiddle,
  jsonLine,
  printable,
  printableLines,
  printableWords,
  quotePath,
  readableLines,
} from '../../../src/domain/printable.ts';

const control = ['\0', '\b', '\t', '\n', '\r', '\x1b', '\x7f', '\x85', '\x9f', '\u2028', '\u2029'];
const bidirectional = [
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ...['\u2066', '\u2067', '\u2068', '\u2069'],
];
const unseen = [
  ...['\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u180e', '\u200b', '\u200c', '\u200d'],
  ...['\u2060', '\u2064', '\u206f', '\u2800', '\u3164', '\ufe0f', '\ufeff', '\uffa0', '\ufff9'],
  ...['\u{e0001}', '\u{e0041}', '\u{e0100}', '\u{1d173}', '\ud800', '\udc00'],
];

test('leaves no invisible character, so that no text reads like another', () => {
  for (const character of [...control, ...bidirectional, ...unseen]) {
    const shown = printable(`npx${character} good-pkg`);
    assert.match(shown, /^npx(?:\\u[0-9a-f]{4}){1,2} good-pkg$/);
    assert.equal(JSON.parse(`"${shown}"`), `npx${character} good-pkg`);
  }
  assert.equal(printable('evil\u202etxt.exe\n'), 'evil\\u202etxt.exe\\u000a');
});

test('keeps lines, and no other invisible character', () => {
  assert.equal(printableLines('a\tb\r\nc\rd\u200b\u202e\n\0'), 'a\tb\nc\nd\\u200b\\u202e\n\\u0000');
});

test('keeps the characters that a language needs, and none that hide or reorder text', () => {
  const needed = 'a\tb\n👩‍👧 ❤️ می‌خواهم \u200eLTR\u200f عربي';
  assert.equal(readableLines(needed), needed);
  const hiding = ['\u202e', '\u2066', '\u200b', '\u2060', '\ufeff', '\u{e0041}', '\u{e0100}'];
  for (const character of [...hiding, '\0', '\x1b', '\u2028', '\ud800']) {
    assert.match(readableLines(`a${character}b`), /^a(?:\\u[0-9a-f]{4}){1,2}b$/);
  }
});

test('keeps every other text unchanged', () => {
  const text = 'Größe 日本 😀 a/b\\c "quoted" {0} é عربى';
  assert.equal(printable(text), text);
});

test('quotes words only if their ends would be unclear otherwise', () => {
  assert.equal(printableWords(['a', 'b c', '', '"d"']), 'a "b c" "" "\\"d\\""');
});

test('writes JSON as one printable line that reads back as the same value', () => {
  const value = {
    [`name${bidirectional.join('')}`]: control.join(''),
    list: ['\\u202e', '\\', '"', '\ud800', '😀', 1.5, null, true, { '': [] }],
  };
  const line = jsonLine(value);
  assert.deepEqual(JSON.parse(line), value);
  assert.equal(printable(line), line);
});

test('cuts a text at its end or in its middle, and never within a character', () => {
  assert.deepEqual([cut('abc', 3), cut('abcd', 3), cut('ab😀d', 3)], ['abc', 'abc…', 'ab…']);
  assert.equal(cutMiddle('abcdef', 6), 'abcdef');
  assert.equal(cutMiddle('abcdefghijklmnopqrst', 6), 'abcd …(14 more)… st');
  assert.equal(cutMiddle('abc😀efghijklmnop😀ij', 6), 'abc …(16 more)… ij');
  const name = 'a-name-of-25-characters-x';
  assert.equal(cutMiddle(name, 24), name);
});

test('shows a path in a message so that it cannot mislead', () => {
  assert.equal(quotePath('a\n\u202eb"'), '"a\\n\\u202eb\\""');
  assert.equal(quotePath('x'.repeat(300)).length, 203);
});
