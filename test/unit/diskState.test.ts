import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskState } from '../../src/extension/folders/diskState.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('what is on disk is told apart by what keeps it from being a root', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'sub/': '', file: '' });
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('sub', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  const names = ['sub', 'link', 'file', 'nowhere', 'file/below', 'dangling', 'loop'];
  const states = await Promise.all(names.map(name => diskState(join(folder, name))));
  assert.deepEqual(Object.fromEntries(names.map((name, index) => [name, states[index]])), {
    sub: 'directory',
    link: 'directory',
    file: 'not-a-directory',
    nowhere: 'missing',
    'file/below': 'missing',
    dangling: 'missing',
    loop: 'unreadable',
  });
});

const isRoot = process.getuid?.() === 0 && 'root may read everything';

test('a folder that may not be read is unreadable', { skip: isRoot }, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'sub/': '' });
  chmodSync(join(folder, 'sub'), 0o000);
  assert.equal(await diskState(join(folder, 'sub')), 'unreadable');
});
