import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DroppedBytes, LineReader } from '../../../src/base/lineReader.ts';

const tooLong = Symbol('a line that was too long');

/** The reader's result for these chunks and the end. */
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

test('passes bytes as they are', () => {
  const lines: Buffer[] = [];
  const reader = new LineReader(10, line => lines.push(Buffer.from(line)));
  reader.push(Buffer.from([0x61, 0xff, 0, 10, 0xc3, 10]));
  assert.deepEqual(lines, [Buffer.from([0x61, 0xff, 0]), Buffer.from([0xc3])]);
});

test('reports length and both ends of a long line', () => {
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

test('reports the whole of a line just above the limit', () => {
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

test('gathers a line byte by byte in little memory', () => {
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

test('takes the rest as a line at the end of the stream', () => {
  assert.deepEqual(read(['one\ntw', 'o']), ['one', 'two']);
  assert.deepEqual(read(['one\n']), ['one']);
  assert.deepEqual(read([]), []);
});

test('reads the same lines from any chunks of a stream', () => {
  const letters = fc.constantFrom('a', '{', '"', ' ', '\r ', 'é', '日', '😀', '\0');
  const line = fc.array(letters, { maxLength: 20 }).map(parts => parts.join(''));
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 });
  const sizes = fc.infiniteStream(fc.nat(7));
  fc.assert(
    fc.property(lines, sizes, fc.integer({ min: 5, max: 35 }), (source, sizes, limit) => {
      const bytes = Buffer.from(source.flat().join(''));
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value ?? 0;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      const expected = source.map(([text, end]) => {
        const length = Buffer.byteLength(text + end) - 1;
        return length > limit ? tooLong : text;
      });
      assert.deepEqual(read(chunks, limit), expected);
    }),
    { numRuns: 500 },
  );
});
