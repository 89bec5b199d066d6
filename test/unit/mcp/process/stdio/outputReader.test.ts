import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineReader } from '../../../../../src/base/lineReader.ts';
import {
  type LinePart,
  OutputReader,
  partsOf,
} from '../../../../../src/mcp/process/stdio/outputReader.ts';

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

test('reads a flood in turns, with other work in between', async () => {
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

test('ends a turn early when its lines take long', async () => {
  const { output, taken, reader } = readerOf(() => {
    for (const end = performance.now() + 6; performance.now() < end; ) {}
  });
  output.write('a\nb\nc\n');
  await nextTurn();
  assert.ok(taken.length < 3, String(taken));
  await reader.idle();
  assert.deepEqual(taken, ['a', 'b', 'c']);
});

test('takes nothing while it is held, not even from the same chunk', async () => {
  const { output, taken, reader } = readerOf(line => line === 'b' && reader.hold());
  output.write('a\nb\nc\n');
  output.write('d\n');
  for (let turn = 0; turn < 5; turn += 1) {
    await nextTurn();
  }
  assert.deepEqual(taken, ['a', 'b']);
  assert.equal(output.isPaused(), true);
  reader.release();
  await nextTurn();
  await reader.idle();
  assert.deepEqual(taken, ['a', 'b', 'c', 'd']);
});

test('takes the rest without a line break as the last line', async () => {
  const { output, taken, reader } = readerOf();
  const lines = numbered(500);
  output.end(lines.join('\n'));
  while (!output.readableEnded) {
    await nextTurn();
  }
  await reader.idle();
  assert.deepEqual(taken, lines);
});

const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
const two = '{"jsonrpc":"2.0","method":"two","params":{"text":"größe {} }"}}';

const latin = (text: string) => Buffer.from(text, 'latin1');
const torn = `${one.slice(0, 20)}Listening…${one.slice(20)}`;
const bad = latin('{"jsonrpc":"2.0","method":"x","params":{"path":"/proj/\xff"}}');
const withoutId = '{"jsonrpc":"2.0","id":null,"method":"roots/list"}';

/** Lines, and their parts: a message, or the length of other text. */
const cases: readonly (readonly [line: string | Buffer, ...parts: (string | number)[]])[] = [
  [one, one],
  [` ${two} `, two],
  [''],
  ['  \t '],
  [`10 % done ${one}`, 10, one],
  [`${one} done`, one, 5],
  [`a${two}def`, 1, two, 3],
  [torn, Buffer.byteLength(torn)],
  [bad, bad.length],
  [Buffer.concat([latin('caf\xe9 '), Buffer.from(one)]), 5, one],
  [withoutId, withoutId.length],
  ['{"not":"a message"}', 19],
  ['[]', 2],
  ['null', 4],
  ['"{}"', 4],
];

test('finds the message in a line as it was sent, and gives the length of the rest', () => {
  for (const [line, ...expected] of cases) {
    assert.deepEqual(parts(line), expected, String(line));
  }
});

function parts(line: string | Buffer): (string | number)[] {
  return partsOf(Buffer.from(line as string)).map((part: LinePart) =>
    part.kind === 'message' ? JSON.stringify(part.message) : part.bytes.length,
  );
}

test('marks a mended message as changed', () => {
  const line = '{"jsonrpc":"2.0","id":1,"result":null}';
  const message = { jsonrpc: '2.0', id: 1, result: {} };
  assert.deepEqual(partsOf(Buffer.from(line)), [{ kind: 'message', message, isMended: true }]);
});

test('takes a line that is too complex to read as rubbish', () => {
  const inner = ['['.repeat(2000) + ']'.repeat(2000), `[${'{},'.repeat(250_000)}0]`];
  for (const value of inner) {
    const line = Buffer.from(`{"jsonrpc":"2.0","method":"x","params":{"a":${value}}}`);
    const [part, ...more] = partsOf(line);
    assert.ok(part?.kind === 'unread');
    assert.deepEqual([part.defect, part.bytes.length, more], ['complex', line.length, []]);
  }
});
