import { deepEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { entriesIn } from '../../../../src/server/listing/entries.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = process.platform !== 'linux' && 'other systems have no such names';

test('names are told apart by what they stand for, and sorted the same on every machine', t => {
  const folder = tempFolder(t);
  writeTree(folder, {
    'b.txt': '',
    'B.txt': '',
    'ä.txt': '',
    'é/': '',
    'a/': '',
    '10': '',
    '9': '',
  });
  symlinkSync('a', join(folder, 'to-a'));
  symlinkSync('none', join(folder, 'to-none'));
  deepEqual(namesIn(folder), [
    ['directory', 'a', 'é'],
    ['file', '10', '9', 'B.txt', 'b.txt', 'ä.txt'],
    ['link', 'to-a', 'to-none'],
  ]);
});

test('a pipe is neither file nor folder', { skip: process.platform === 'win32' }, t => {
  const folder = tempFolder(t);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  deepEqual(namesIn(folder), [['other', 'pipe']]);
});

test('names that are no text look like no other name, and the others are exact', { skip }, t => {
  const folder = tempFolder(t);
  const bytes = ['\xff', '\xfe', '\\\xff', '\\xff\xff', 'caf\xe9.txt', '\xc3\xa9\xff'];
  for (const name of bytes) {
    writeFileSync(Buffer.from(`${folder}/${name}`, 'latin1'), '');
  }
  writeTree(folder, { '\ufffd': '', '\\xff': '', 'é.txt': '', 'a/': '' });
  deepEqual(namesIn(folder), [
    ['directory', 'a'],
    ['file', '\\xff', 'é.txt', '\ufffd'],
    [
      'unreachable',
      '\\x5c\\xff',
      '\\x5cxff\\xff',
      '\\xc3\\xa9\\xff',
      '\\xfe',
      '\\xff',
      'caf\\xe9.txt',
    ],
  ]);
});

/** The names in a folder in their order, those of one type together, after the name of that. */
function namesIn(folder: string): readonly string[][] {
  const groups: string[][] = [];
  for (const { type, name } of entriesIn({ at: name => `${folder}/${name}` })) {
    if (groups.at(-1)?.[0] !== type) {
      groups.push([type]);
    }
    groups.at(-1)?.push(name);
  }
  return groups;
}
