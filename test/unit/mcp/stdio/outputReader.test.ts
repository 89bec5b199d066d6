import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineReader } from '../../../../src/base/lineReader.ts';
import { type LinePart, OutputReader, partsOf } from '../../../../src/mcp/stdio/outputReader.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';

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

const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
const two = '{"jsonrpc":"2.0","method":"two","params":{"text":"größe {} }"}}';

/** The parts of a line, each message as its text. */
function parts(line: string | Buffer): (string | number)[] {
  return partsOf(Buffer.from(line as string)).map((part: LinePart) =>
    part.kind === 'message' ? JSON.stringify(part.message) : part.bytes.length,
  );
}

test('a line that is a message is that message', () => {
  assert.deepEqual(parts(one), [one]);
  assert.deepEqual(parts(` ${two} `), [two]);
});

test('an empty line is nothing at all', () => {
  assert.deepEqual([parts(''), parts('  \t ')], [[], []]);
});

test('text before, between and after messages is told of by its length, and they are found', () => {
  assert.deepEqual(parts(`10 % done ${one}`), [10, one]);
  assert.deepEqual(parts(`${one} done`), [one, 5]);
  assert.deepEqual(parts(`${one}${two}`), [one, two]);
  assert.deepEqual(parts(`a${one}bc${two}def`), [1, one, 2, two, 3]);
});

test('text within a message costs that message, and no other one', () => {
  const torn = `${one.slice(0, 20)}Listening…${one.slice(20)}`;
  assert.deepEqual(parts(torn), [Buffer.byteLength(torn)]);
  assert.deepEqual(parts(`${one.slice(0, 20)}${two}`), [20, two]);
});

test('bytes that are no UTF-8 are never altered into a message', () => {
  const bad = Buffer.from(
    '{"jsonrpc":"2.0","method":"x","params":{"path":"/proj/\xff"}}',
    'latin1',
  );
  assert.deepEqual(parts(bad), [bad.length]);
  const glued = Buffer.concat([Buffer.from('caf\xe9 ', 'latin1'), Buffer.from(one)]);
  assert.deepEqual(parts(glued), [5, one]);
});

test('JSON that is no message is rubbish', () => {
  const lines = ['{"not":"a message"}', '[]', 'null', '"{}"', `[${one}]`];
  assert.deepEqual(parts('{"jsonrpc":"2.0","id":null,"method":"roots/list"}').length, 1);
  assert.deepEqual(
    lines.slice(0, 4).map(parts),
    lines.slice(0, 4).map(({ length }) => [length]),
  );
});

test('a line that is nothing but starts of messages costs little', () => {
  const line = '{"jsonrpc"'.repeat(800_000);
  let cut: ReturnType<typeof parts> = [];
  const taken = cpuTimeOf(() => {
    cut = parts(line);
  });
  assert.ok(taken < littleTime, String(taken));
  const [first, ...rest] = cut;
  assert.ok(typeof first === 'number' && first > 7_000_000, String(first));
  assert.equal(
    [first, ...rest].reduce<number>((sum, part) => sum + Number(part), 0),
    line.length,
  );
});

test('a line that would take long to read for what it says is rubbish, and found to be that soon', () => {
  const half = 4_000_000;
  const inner = ['['.repeat(half) + ']'.repeat(half), `[${'{},'.repeat(2_500_000)}0]`];
  for (const value of inner) {
    const line = Buffer.from(`{"jsonrpc":"2.0","method":"x","params":{"a":${value}}}`);
    const before = process.threadCpuUsage();
    const [part, ...more] = partsOf(line);
    assert.ok(part?.kind === 'unread');
    assert.deepEqual([part.defect, part.bytes.length, more], ['complex', line.length, []]);
    assert.ok(process.threadCpuUsage(before).user < 200_000);
  }
});
