import assert from 'node:assert/strict';
import { chmodSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeOf } from '../../../../src/base/fileIdentity.ts';
import { type FolderDisk, lookAt } from '../../../../src/extension/folders/diskState.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { onlyOn, skipLinks } from '../../../support/systems.ts';
import { makeAnew, tempFolder } from '../../../support/temp.ts';

test('a look says why a path cannot be a root', { skip: skipLinks }, async t => {
  const folder = tempFolder(t, { 'sub/': '', file: '' });
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('sub', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  const names = ['sub', 'link', 'file', 'nowhere', 'file/below', 'dangling', 'loop'];
  const states = names.map(async name => [name, (await lookAt(join(folder, name))).disk]);
  assert.deepEqual(Object.fromEntries(await Promise.all(states)), {
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

test('a folder without permission to read is unreadable', { skip }, async t => {
  const folder = tempFolder(t, { 'sub/': '' });
  chmodSync(join(folder, 'sub'), 0o000);
  assert.equal((await lookAt(join(folder, 'sub'))).disk, 'unreadable');
});

test('a look identifies a folder under any name', { skip: skipLinks }, async t => {
  const folder = tempFolder(t, { 'sub/': '', 'other/': '' });
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

test('a recreated folder is another folder, even with the same inode', async t => {
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

test('a failed look gives the reason, and keeps the earlier result', async () => {
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const folder = { dev: 1n, ino: 2n, birthtimeNs: 0n, isDirectory: () => true };
  const looked = (failing: Partial<FolderDisk>) =>
    lookAt('/proj', {
      stat: async () => folder,
      realpath: async path => `/real${path}`,
      enter: async () => {},
      ...failing,
    });
  const found = { realPath: '/real/proj', place: '1:2' };
  const nothing = { realPath: undefined, place: undefined };
  const unnumbered = async () => ({ ...folder, ino: 0n, birthtimeNs: 3n });
  foundAsExpected({
    'no failure': [await looked({}), { disk: 'directory', ...found }],
    'no leave': [await looked({ enter: fails('EACCES') }), { disk: 'unreadable', ...found }],
    forbidden: [await looked({ enter: fails('EPERM') }), { disk: 'unreadable', ...found }],
    'no leave above': [await looked({ stat: fails('EACCES') }), { disk: 'unreadable', ...nothing }],
    'failing disk': [await looked({ stat: fails('EIO') }), { disk: 'unreadable', ...nothing }],
    'gone meanwhile': [
      await looked({ realpath: fails('ENOENT') }),
      { disk: 'missing', ...nothing },
    ],
    'gone at last': [await looked({ enter: fails('ENOENT') }), { disk: 'missing', ...nothing }],
    'no inode': [
      await looked({ stat: unnumbered }),
      { disk: 'directory', ...found, place: undefined },
    ],
  });
});
