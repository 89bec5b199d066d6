import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineReader } from '../../src/base/lineReader.ts';
import { OutputReader } from '../../src/mcp/stdio/outputReader.ts';

/** A reader of a stream that the test writes to, and the lines that it took. */
function readerOf(take: (line: string) => void = () => {}) {
  const output = new PassThrough({ highWaterMark: 1024 * 1024 });
  const taken: string[] = [];
  const lines = new LineReader(1024, bytes => {
    const line = bytes.toString();
    taken.push(line);
    take(line);
  });
  const reader = new OutputReader(output, lines);
  return { output, reader, taken };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('a flood is read in turns, and what waits besides has its own in between', async () => {
  const { output, taken, reader } = readerOf();
  const lines = numbered(10_000);
  output.write(`${lines.join('\n')}\n`);
  let turns = 0;
  while (taken.length < lines.length) {
    const before = taken.length;
    await nextTurn();
    turns += 1;
    assert.ok(taken.length - before <= 100, `${taken.length - before} lines in a turn`);
  }
  await reader.idle();
  assert.deepEqual(taken, lines);
  assert.ok(turns >= 100, String(turns));
});

test('a turn ends early when its lines take long', async () => {
  const { output, taken, reader } = readerOf(() => {
    for (const end = performance.now() + 6; performance.now() < end; ) {}
  });
  output.write('a\nb\nc\n');
  await nextTurn();
  assert.ok(taken.length < 3, String(taken));
  await reader.idle();
  assert.deepEqual(taken, ['a', 'b', 'c']);
});

test('while it is held nothing is taken, not even what came in the same piece', async () => {
  const { output, taken, reader } = readerOf(line => line === 'b' && reader.hold());
  output.write('a\nb\nc\n');
  output.write('d\n');
  while (taken.length < 2) {
    await nextTurn();
  }
  await nextTurn();
  await nextTurn();
  assert.deepEqual(taken, ['a', 'b']);
  assert.equal(output.isPaused(), true);
  reader.release();
  while (taken.length < 4) {
    await nextTurn();
  }
  await reader.idle();
  assert.deepEqual(taken, ['a', 'b', 'c', 'd']);
});

test('what comes last without a line end is a line, after all the others', async () => {
  const { output, taken, reader } = readerOf();
  const lines = numbered(500);
  output.end(lines.join('\n'));
  while (!output.readableEnded) {
    await nextTurn();
  }
  await reader.idle();
  assert.deepEqual(taken, lines);
});

test('it is idle at once where nothing has come', async () => {
  const { reader, taken } = readerOf();
  await reader.idle();
  assert.deepEqual(taken, []);
});
