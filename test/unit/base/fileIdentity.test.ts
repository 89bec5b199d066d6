import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isPlace, isSameFile, isSamePlace, placeOf } from '../../../src/base/fileIdentity.ts';

test('compares 32 bits of a device', () => {
  // A path and a descriptor on Windows 11, by Node 22.12.
  const named = { dev: 0x1c2d3e4f_5a6b7c8dn, ino: 7n, birthtimeNs: 9n };
  const opened = { dev: 0x5a6b7c8dn, ino: 7n, birthtimeNs: 9n };
  deepEqual([isSameFile(named, opened), isSameFile(opened, named)], [true, true]);
  deepEqual([placeOf(named), placeOf(opened)], ['1516993677:7:9', '1516993677:7:9']);
});

test('tells files apart by device and inode', () => {
  const file = { dev: 2049n, ino: 7n };
  equal(isSameFile(file, { dev: 2050n, ino: 7n }), false);
  equal(isSameFile(file, { dev: 2049n, ino: 8n }), false);
  equal(isSameFile(file, undefined), false);
});

test('compares birth times when both places have one', () => {
  const place = placeOf({ dev: 1n, ino: 2n, birthtimeNs: 0n });
  const born = placeOf({ dev: 1n, ino: 2n, birthtimeNs: 3n });
  deepEqual(
    [place, born, ...[place, born, '1', '1:2:', 3].map(isPlace)],
    [...['1:2', '1:2:3'], ...[true, true, false, false, false]],
  );
  const rows = [
    [born, born, true, true],
    [born, place, true, true],
    [place, place, true, true],
    [born, '1:2:4', false, false],
    [born, '1:3:3', false, false],
    [born, '7:2:3', false, true],
    ['7:2', place, false, true],
    ['7:2:4', born, false, false],
  ] as const;
  for (const [a, b, ...same] of rows) {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      deepEqual([isSamePlace(one, other), isSamePlace(one, other, false)], same, `${a} ${b}`);
    }
  }
});
