import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { eachLine, WholeLines } from '../../../src/connect/messages.ts';

/** What comes of chunks that are all read into the same memory, as they come from a socket. */
function pushed(...chunks: readonly string[]): (string | undefined)[] {
  const lines = new WholeLines();
  const memory = Buffer.alloc(Math.max(...chunks.map(chunk => Buffer.byteLength(chunk))));
  const pieces = chunks.map(chunk => lines.push(memory.subarray(0, memory.write(chunk))));
  memory.fill('#');
  return pieces.map(piece => piece?.toString());
}

test('lines come whole, each with its end, in memory of their own', () => {
  deepEqual(pushed('one\ntwo\n', 'th', 'r', 'ee\n', 'four\nfi', 've\n'), [
    'one\ntwo\n',
    undefined,
    undefined,
    'three\n',
    'four\n',
    'five\n',
  ]);
});

test('a line is whole that comes in many chunks, also where it is long', () => {
  const half = 'ü'.repeat(100_000);
  const pieces = pushed('before\n{', half, half, '}\nafter\n');
  deepEqual(pieces, ['before\n', undefined, undefined, `{${half}${half}}\nafter\n`]);
});

test('of a line that is too long its end is left, and what follows is whole', () => {
  const much = 'x'.repeat(5 * 1024 * 1024);
  deepEqual(pushed('{"a":"', much, much, 'y"}\nafter\nla', 'st\n'), [
    undefined,
    undefined,
    undefined,
    'y"}\nafter\n',
    'last\n',
  ]);
});

test('each line of a piece is found with its end', () => {
  const lines = [...eachLine(Buffer.from('one\n\ntwo\n'))];
  deepEqual(
    lines.map(line => line.toString()),
    ['one\n', '\n', 'two\n'],
  );
  equal([...eachLine(Buffer.from('no end'))].length, 0);
});
