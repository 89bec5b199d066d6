import { deepEqual } from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { entriesIn, entryTypes } from '../../../../src/server/listing/entries.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('linux', 'other systems have no such names');

test('tells names apart by their bytes, and sorts them alike everywhere', { skip }, t => {
  const folder = tempFolder(t);
  const names = ['b.txt', 'B.txt', 'ä.txt', 'é/', 'a/', '10', '9'];
  writeTree(folder, Object.fromEntries(names.map(name => [name, ''])));
  symlinkSync('a', join(folder, 'to-a'));
  symlinkSync('none', join(folder, 'to-none'));
  deepEqual(namesIn(folder), {
    directory: ['a', 'é'],
    file: ['10', '9', 'B.txt', 'b.txt', 'ä.txt'],
    link: ['to-a', 'to-none'],
    other: [],
    unreachable: [],
  });
});

test('tells names that are not text from names that a path can contain', { skip }, t => {
  const folder = tempFolder(t);
  const long = 200;
  for (const name of ['\xff', 'caf\xe9.txt', '\xc3\xa9\xff', '\xff'.repeat(long)]) {
    writeFileSync(Buffer.from(`${folder}/${name}`, 'latin1'), '');
  }
  writeTree(folder, { '\ufffd\ufffd': '', 'é.txt': '', 'a/': '' });
  deepEqual(namesIn(folder), {
    directory: ['a'],
    file: ['é.txt', '\ufffd\ufffd'],
    link: [],
    other: [],
    unreachable: ['caf\ufffd.txt', 'é\ufffd', '\ufffd', '\ufffd'.repeat(long)],
  });
});

/** The names of a folder's entries, by type. */
function namesIn(folder: string) {
  const entries = entriesIn({ at: name => `${folder}/${name}` });
  deepEqual(
    [...new Set(entries.map(({ type }) => type))],
    entryTypes.filter(type => entries.some(entry => entry.type === type)),
  );
  return Object.fromEntries(
    entryTypes.map(type => [
      type,
      entries.filter(entry => entry.type === type).map(({ name }) => name),
    ]),
  );
}
