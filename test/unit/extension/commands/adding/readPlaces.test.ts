import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importPlaces } from '../../../../../src/domain/gateway/clientFiles.ts';
import { inEnglish } from '../../../../../src/domain/sentence.ts';
import { readJson, readPlaces } from '../../../../../src/extension/commands/adding/readPlaces.ts';
import { fixture } from '../../../../support/importing.ts';
import { onlyOn } from '../../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../../support/temp.ts';
import { said } from '../../../../support/texts.ts';

function read(text: string): unknown {
  const result = readJson(text);
  return result.ok ? result.value : said(inEnglish(result.problem));
}

test('reads comments, trailing commas, a byte order mark and an empty text as editors do', () => {
  assert.deepEqual(read('\ufeff// one\n{ "a": [1, 2,], /* two */ "b": null, }\r\n'), {
    a: [1, 2],
    b: null,
  });
  assert.deepEqual([read(''), read(' \n'), read('// nothing\n')], [{}, {}, {}]);
});

test('reports a broken text with line and column, and an open comment at its end', () => {
  const broken = [fixture('broken.txt'), '{"a": 1', '{}\r\n}', '/*', '{ "a": 1 } /* two'];
  const places = broken.map(text => /\((\d+, \d+), json\.problems/.exec(String(read(text)))?.[1]);
  assert.deepEqual(places, ['4, 23', '1, 8', '2, 1', '1, 1', '1, 12']);
});

test('takes the last value of a repeated key', () => {
  assert.deepEqual(read('{ "a": 1, "b": { "c": 1, "c": 2 }, "a": 3 }'), { a: 3, b: { c: 2 } });
});

test('treats keys of prototypes like other keys', () => {
  const value = read('{ "__proto__": { "isPolluted": true }, "constructor": 1 }') as object;
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal((value as { isPolluted?: boolean }).isPolluted, undefined);
});

test('refuses any text that is nested too deeply', () => {
  const tooDeep = 'readJson.readJson()';
  assert.equal(read('['.repeat(500_000)), tooDeep);
  assert.equal(read(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`), tooDeep);
  assert.deepEqual(read('{ "a": "[[[[" }'), { a: '[[[[' });
});

const links = { skip: onlyOn('posix', 'a link to a file') };
test('does not read a file through a link out of the folders', links, async t => {
  const home = tempFolder(t);
  const folder = join(home, 'api');
  writeTree(home, { 'outside.json': '{}', 'api/': '' });
  symlinkSync('../outside.json', join(folder, '.mcp.json'));
  const { notes } = await readPlaces(
    importPlaces({
      platform: process.platform,
      home,
      appData: undefined,
      folders: [{ name: 'api', path: folder }],
      userSettings: home,
      workspaceFile: undefined,
    }),
  );
  const refusals = notes.map(({ note }) => said(inEnglish(note)));
  assert.deepEqual(refusals, ['plainFile.assertWithin()']);
});
