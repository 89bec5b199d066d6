import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportSource } from '../../../../../src/domain/gateway/clientFiles.ts';
import { inEnglish } from '../../../../../src/domain/sentence.ts';
import { readJson, readPlaces } from '../../../../../src/extension/commands/adding/readPlaces.ts';
import { fixture } from '../../../../support/importing.ts';
import { onlyOn } from '../../../../support/systems.ts';

function read(text: string): unknown {
  const result = readJson(text);
  return result.ok ? result.value : inEnglish(result.problem);
}

test('comments, trailing commas, a byte order mark and an empty text are read as editors do', () => {
  assert.deepEqual(read('\ufeff// one\n{ "a": [1, 2,], /* two */ "b": null, }\r\n'), {
    a: [1, 2],
    b: null,
  });
  assert.deepEqual([read(''), read(' \n'), read('// nothing\n')], [{}, {}, {}]);
});

test('a broken text is told with its line and column', () => {
  assert.equal(
    read(fixture('broken.txt')),
    'It is broken at line 4, column 23: a value is missing.',
  );
  assert.equal(
    read('{"a": 1'),
    'It is broken at line 1, column 8: a closing brace "}" is missing.',
  );
  assert.equal(read('{}\r\n}'), 'It is broken at line 2, column 1: something follows its end.');
});

test('a comment that nothing ends is the end of the text', () => {
  assert.match(String(read('/*')), /^It is broken at line 1, column/);
  assert.match(String(read('{ "a": 1 } /* two')), /^It is broken at line 1, column/);
});

test('a key that is there twice counts last', () => {
  assert.deepEqual(read('{ "a": 1, "b": { "c": 1, "c": 2 }, "a": 3 }'), { a: 3, b: { c: 2 } });
});

test('keys of prototypes are keys like others', () => {
  const value = read('{ "__proto__": { "isPolluted": true }, "constructor": 1 }') as object;
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal((value as { isPolluted?: boolean }).isPolluted, undefined);
});

test('a text that is nested too deeply is refused, whatever it is', () => {
  assert.equal(read('['.repeat(500_000)), 'It is nested too deeply.');
  assert.equal(read(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`), 'It is nested too deeply.');
  assert.deepEqual(read('{ "a": "[[[[" }'), { a: '[[[[' });
});

test('what is no regular file is not read', { skip: onlyOn('posix', 'a device') }, async () => {
  const source = { scope: 'workspace', client: 'claude-code' } as unknown as ImportSource;
  const { files, notes } = await readPlaces([{ path: '/dev/null', source }]);
  assert.deepEqual(
    [files, notes.map(({ note }) => inEnglish(note))],
    [[], ['It is not a regular file. Put one in its place.']],
  );
});
