import assert from 'node:assert/strict';
import { chmodSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeOf } from '../../../../src/base/fileIdentity.ts';
import { diskState, type FolderDisk, lookAt } from '../../../../src/extension/folders/diskState.ts';
import { onlyOn, skipLinks } from '../../../support/systems.ts';
import { makeAnew, tempFolder, writeTree } from '../../../support/temp.ts';

test('what is on disk is told apart by what keeps it from being a root', {
  skip: skipLinks,
}, async t => {
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

const skip =
  onlyOn('posix', 'Windows has no such modes') ||
  (process.getuid?.() === 0 && 'root may read everything');

test('a folder that may not be read is unreadable', { skip }, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'sub/': '' });
  chmodSync(join(folder, 'sub'), 0o000);
  assert.equal(await diskState(join(folder, 'sub')), 'unreadable');
});

test('a look tells which folder it is, under whatever name', { skip: skipLinks }, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'sub/': '', 'other/': '' });
  symlinkSync('sub', join(folder, 'link'));
  const sub = await lookAt(join(folder, 'sub'));
  assert.deepEqual(sub, {
    disk: 'directory',
    realPath: join(folder, 'sub'),
    place: placeOf(statSync(join(folder, 'sub'), { bigint: true })),
  });
  assert.deepEqual(await lookAt(join(folder, 'link')), sub);
  renameSync(join(folder, 'sub'), join(folder, 'moved'));
  renameSync(join(folder, 'other'), join(folder, 'sub'));
  assert.equal((await lookAt(join(folder, 'moved'))).place, sub.place);
  assert.notEqual((await lookAt(join(folder, 'sub'))).place, sub.place);
});

test('a folder that was made anew is another one, though it has the inode of the former', async t => {
  const folder = tempFolder(t);
  const before = await lookAt(folder);
  const whyNot = makeAnew(folder);
  if (whyNot) {
    t.skip(whyNot);
    return;
  }
  const after = await lookAt(folder);
  const numbers = (place = '') => place.split(':', 2);
  assert.deepEqual(numbers(after.place), numbers(before.place));
  assert.notEqual(after.place, before.place);
});

test('what goes wrong in a look is told apart, and what was found before stays known', async () => {
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const disk: FolderDisk = {
    stat: async () => ({ dev: 1n, ino: 2n, birthtimeNs: 0n, isDirectory: () => true }),
    realpath: async path => `/real${path}`,
    enter: async () => {},
  };
  const found = { realPath: '/real/proj', place: '1:2' };
  const nothing = { realPath: undefined, place: undefined };
  assert.deepEqual(
    await Promise.all(
      [
        disk,
        { ...disk, enter: fails('EACCES') },
        { ...disk, enter: fails('EPERM') },
        { ...disk, stat: fails('EACCES') },
        { ...disk, stat: fails('EIO') },
        { ...disk, realpath: fails('ENOENT') },
        { ...disk, enter: fails('ENOENT') },
        {
          ...disk,
          stat: async () => ({ dev: 1n, ino: 0n, birthtimeNs: 3n, isDirectory: () => true }),
        },
      ].map(given => lookAt('/proj', given)),
    ),
    [
      { disk: 'directory', ...found },
      { disk: 'unreadable', ...found },
      { disk: 'unreadable', ...found },
      { disk: 'unreadable', ...nothing },
      { disk: 'unreadable', ...nothing },
      { disk: 'missing', ...nothing },
      { disk: 'missing', ...nothing },
      { disk: 'directory', ...found, place: undefined },
    ],
  );
});
