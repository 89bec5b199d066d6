import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  countOf,
  entriesOf,
  entryTypes,
  filterNames,
  type Names,
  namesIn,
  namesOf,
  partOf,
} from '../../../../src/server/listing/entries.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('linux', 'other systems have no such names');

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
  deepEqual(namesIn(open(folder)), {
    directory: ['a', 'é'],
    file: ['10', '9', 'B.txt', 'b.txt', 'ä.txt'],
    link: ['to-a', 'to-none'],
    other: [],
    unreachable: [],
  });
});

test('a pipe is neither file nor folder', {
  skip: onlyOn('posix', 'no other system makes pipes in folders'),
}, t => {
  const folder = tempFolder(t);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  deepEqual(namesIn(open(folder)).other, ['pipe']);
});

test('names that are no text look like no other name, and the others are exact', { skip }, t => {
  const folder = tempFolder(t);
  const bytes = ['\xff', '\xfe', '\\\xff', '\\xff\xff', 'caf\xe9.txt', '\xc3\xa9\xff'];
  for (const name of bytes) {
    writeFileSync(Buffer.from(`${folder}/${name}`, 'latin1'), '');
  }
  writeTree(folder, { '\ufffd': '', '\\xff': '', 'é.txt': '', 'a/': '' });
  deepEqual(namesIn(open(folder)), {
    directory: ['a'],
    file: ['\\xff', 'é.txt', '\ufffd'],
    link: [],
    other: [],
    unreachable: [
      '\\x5c\\xff',
      '\\x5cxff\\xff',
      '\\xc3\\xa9\\xff',
      '\\xfe',
      '\\xff',
      'caf\\xe9.txt',
    ],
  });
});

test('parts that follow each other are the whole, in any size', () => {
  const list = fc.array(fc.string(), { maxLength: 6 });
  const lists = fc.record({
    directory: list,
    file: list,
    link: list,
    other: list,
    unreachable: list,
  });
  const property = fc.property(lists, fc.integer({ min: 1, max: 7 }), (names: Names, limit) => {
    const parts = Array.from({ length: Math.ceil(countOf(names) / limit) }, (_, page) =>
      partOf(names, page * limit, limit),
    );
    deepEqual(parts.flatMap(entriesOf), entriesOf(names));
    deepEqual(
      parts.map(countOf).filter((count, page) => page < parts.length - 1 && count !== limit),
      [],
    );
    equal(countOf(partOf(names, countOf(names), limit)), 0);
  });
  fc.assert(property);
});

test('names go into entries and back', () => {
  const names = { directory: ['b'], file: ['a', 'c'], link: [], other: ['d'], unreachable: ['e'] };
  deepEqual(namesOf(entriesOf(names)), names);
  deepEqual(
    entriesOf(names).map(({ type }) => type),
    ['directory', 'file', 'file', 'other', 'unreachable'],
  );
  deepEqual(
    filterNames(names, name => name > 'b'),
    { directory: [], file: ['c'], link: [], other: ['d'], unreachable: ['e'] },
  );
  deepEqual(Object.keys(names), [...entryTypes]);
});

function open(folder: string) {
  return { at: (name: string) => `${folder}/${name}` };
}
