import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isSameFile, placeOf } from '../../../src/base/fileIdentity.ts';

test('a file is the same one where the system gives its device half of its bits', () => {
  // A path and a descriptor on Windows 11, by Node 22.12.
  const named = { dev: 0x1c2d3e4f_5a6b7c8dn, ino: 7n };
  const opened = { dev: 0x5a6b7c8dn, ino: 7n };
  deepEqual([isSameFile(named, opened), isSameFile(opened, named)], [true, true]);
  deepEqual([placeOf(named), placeOf(opened)], ['1516993677:7', '1516993677:7']);
});

test('another device or inode is another file, and so is none', () => {
  const file = { dev: 2049n, ino: 7n };
  equal(isSameFile(file, { dev: 2050n, ino: 7n }), false);
  equal(isSameFile(file, { dev: 2049n, ino: 8n }), false);
  equal(isSameFile(file, undefined), false);
});
