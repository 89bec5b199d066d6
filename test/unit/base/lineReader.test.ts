import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DroppedBytes, LineReader } from '../../../src/base/lineReader.ts';

const tooLong = Symbol('a line that was too long');

/** What a reader makes of these chunks, and then of the end. */
function read(chunks: readonly (string | Buffer)[], limit = 1000): (string | symbol)[] {
  const lines: (string | symbol)[] = [];
  const reader = new LineReader(
    limit,
    line => lines.push(line.toString()),
    () => lines.push(tooLong),
  );
  for (const chunk of chunks) {
    reader.push(Buffer.from(chunk as string));
  }
  reader.end();
  return lines;
}

test('lines arrive whole, however they are cut', () => {
  const expected = ['one', 'two', '', 'three'];
  assert.deepEqual(read(['one\ntwo\n\nthree\n']), expected);
  assert.deepEqual(read(['on', 'e', '\n', 'two\n\nth', '', 'ree', '\n']), expected);
});

test('a carriage return before the line end is no part of the line, one elsewhere is', () => {
  assert.deepEqual(read(['one\r\n', 'two\r', '\n', 'a\rb\n\r\n']), ['one', 'two', 'a\rb', '']);
});

test('a character that is cut in two arrives whole', () => {
  const bytes = Buffer.from('größe 日本 😀\n');
  const cuts = Array.from({ length: bytes.length }, (_, at) =>
    read([bytes.subarray(0, at), bytes.subarray(at)]),
  );
  assert.deepEqual(
    cuts,
    cuts.map(() => ['größe 日本 😀']),
  );
});

test('bytes arrive as they are, UTF-8 or not', () => {
  const lines: Buffer[] = [];
  const reader = new LineReader(10, line => lines.push(Buffer.from(line)));
  reader.push(Buffer.from([0x61, 0xff, 0, 10, 0xc3, 10]));
  assert.deepEqual(lines, [Buffer.from([0x61, 0xff, 0]), Buffer.from([0xc3])]);
});

test('a line over the limit is dropped whole and told of once, and the rest arrives', () => {
  const long = 'x'.repeat(11);
  assert.deepEqual(read([`a\n${long}\nb\n`], 10), ['a', tooLong, 'b']);
  assert.deepEqual(read(['a\nxxxxx', 'xxxxx', 'xxxxx', 'xxxxx\nb', '\n'], 10), ['a', tooLong, 'b']);
  assert.deepEqual(read([`${'x'.repeat(10)}\n`], 10), ['x'.repeat(10)]);
});

test('of a line over the limit the length and both ends are told, however it is cut', () => {
  const text = Array.from({ length: 20_000 }, (_, at) => at.toString(36)).join();
  const bytes = Buffer.from(`${text}\nnext\n`);
  const { length } = Buffer.from(text);
  for (const [limit, size] of [
    [10, 1],
    [700, 1],
    [10, 500],
    [700, 699],
    [60_000, 7000],
    [700, 1_000_000],
  ] as const) {
    const lines: (string | DroppedBytes)[] = [];
    const reader = new LineReader(
      limit,
      line => lines.push(line.toString()),
      line => lines.push(line),
    );
    for (let at = 0; at < bytes.length; at += size) {
      reader.push(bytes.subarray(at, at + size));
    }
    const [head, tail] = [bytes.subarray(0, 512), bytes.subarray(length - 512, length)];
    assert.deepEqual(lines, [{ length, head, tail }, 'next'], `${limit} bytes, ${size} at a time`);
  }
});

test('the ends of a line that is hardly over the limit are all of it', () => {
  const lines: DroppedBytes[] = [];
  const reader = new LineReader(
    3,
    () => assert.fail(),
    line => lines.push(line),
  );
  reader.push(Buffer.from('abcd\n'));
  const all = Buffer.from('abcd');
  assert.deepEqual(lines, [{ length: 4, head: all, tail: all }]);
});

test('a long line that comes byte by byte costs little more than its length', () => {
  let length = 0;
  const reader = new LineReader(2_000_000, line => {
    length = line.length;
  });
  const byte = Buffer.from('x');
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 1_000_000; at++) {
    reader.push(byte);
  }
  assert.equal(reader.pending, 1_000_000);
  assert.ok(process.memoryUsage().arrayBuffers - before < 8_000_000);
  reader.push(Buffer.from('\n'));
  assert.deepEqual([length, reader.pending], [1_000_000, 0]);
});

test('what comes after the last line end is a line once the stream is over, and nothing is none', () => {
  assert.deepEqual(read(['one\ntw', 'o']), ['one', 'two']);
  assert.deepEqual(read(['one\n']), ['one']);
  assert.deepEqual(read([]), []);
});

test('the lines are the same for every way to cut a stream', () => {
  const next = randomNumbers(20_260_728);
  for (let round = 0; round < 500; round++) {
    const limit = 5 + (next() % 30);
    const source = Array.from({ length: next() % 12 }, () => randomLine(next));
    const text = source.map(({ line, end }) => line + end).join('');
    const expected = source.map(({ line, end }) => {
      const bytes = Buffer.byteLength(line + end) - 1;
      return bytes > limit ? tooLong : line;
    });
    assert.deepEqual(read(cutAnywhere(Buffer.from(text), next), limit), expected, `round ${round}`);
  }
});

function randomLine(next: () => number) {
  const letters = ['a', '{', '"', ' ', '\r ', 'é', '日', '😀', '\0'];
  const line = Array.from({ length: next() % 20 }, () => letters[next() % letters.length]).join('');
  return { line, end: next() % 2 === 0 ? '\n' : '\r\n' };
}

function cutAnywhere(bytes: Buffer, next: () => number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = next() % 8;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** Numbers that are the same in every run: a linear congruential generator. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
