import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLine, printable, printableWords } from '../../src/domain/printable.ts';

const control = ['\0', '\b', '\t', '\n', '\r', '\x1b', '\x7f', '\x85', '\x9f', '\u2028', '\u2029'];
const bidirectional = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];

const unseen = [
  ...['\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u180e', '\u200b', '\u200c', '\u200d'],
  ...['\u2060', '\u2064', '\u206f', '\u2800', '\u3164', '\ufe0f', '\ufeff', '\uffa0', '\ufff9'],
  ...['\u{e0001}', '\u{e0041}', '\u{e0100}', '\u{1d173}', '\ud800', '\udc00'],
];

test('no character that can not be seen is left: nothing reads like another text', () => {
  for (const character of unseen) {
    const shown = printable(`npx${character} good-pkg`);
    assert.match(shown, /^npx(?:\\u[0-9a-f]{4}){1,2} good-pkg$/);
    assert.equal(JSON.parse(`"${shown}"`), `npx${character} good-pkg`);
  }
});

test('control and bidirectional characters are written as escapes', () => {
  const escaped = (character: string) =>
    `a\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}b`;
  const all = [...control, ...bidirectional];
  assert.deepEqual(
    all.map(character => printable(`a${character}b`)),
    all.map(escaped),
  );
  assert.equal(printable('evil\u202etxt.exe\n'), 'evil\\u202etxt.exe\\u000a');
});

test('every other text stays as it is', () => {
  const text = 'Größe 日本 😀 a/b\\c "quoted" {0} é عربى';
  assert.equal(printable(text), text);
});

test('words are quoted only where it could not be told otherwise where they begin and end', () => {
  assert.equal(printableWords(['a', 'b c', '', '"d"']), 'a "b c" "" "\\"d\\""');
});

test('a JSON line is one printable line that reads back as the same value', () => {
  const value = {
    [`name${bidirectional.join('')}`]: control.join(''),
    list: ['\\u202e', '\\', '"', '\ud800', '😀', 1.5, null, true, { '': [] }],
  };
  const line = jsonLine(value);
  assert.deepEqual(JSON.parse(line), value);
  assert.equal(printable(line), line);
});
