import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventFilter } from '../../../../src/mcp/http/limitedFetch.ts';
import { ReadingTurn } from '../../../../src/mcp/readingTurn.ts';

/** What comes through, and the lengths of what was left out. */
async function through(limit: number, chunks: readonly (string | Buffer)[]) {
  const left: number[] = [];
  const filter = eventFilter({
    longest: limit,
    turn: new ReadingTurn(),
    onUnread: ({ bytes }) => left.push(bytes.length),
  });
  const bytes = chunks.map(chunk => new Uint8Array(Buffer.from(chunk as string)));
  const parts: Uint8Array[] = [];
  for await (const part of ReadableStream.from(bytes).pipeThrough(filter)) {
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString(), left };
}

/** The same for who reads it: which line ends there are, and empty events, mean nothing. */
function normal(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(/\n{2,}/g, '\n\n');
}

const kinds = [
  ['\n', 'line feeds'],
  ['\r\n', 'both'],
  ['\r', 'carriage returns'],
] as const;

for (const [end, name] of kinds) {
  test(`events come through unchanged, and a long one is left out: lines end with ${name}`, async () => {
    const short = `event: message${end}data: é${end}${end}`;
    const long = `data: ${'x'.repeat(50)}${end}data: y${end}${end}`;
    const bytes = Buffer.from(short + short + long + short + long + long + short);
    for (const size of [1, 2, 3, 7, 40, bytes.length]) {
      const count = Math.ceil(bytes.length / size);
      const chunks = Array.from({ length: count }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const { text, left } = await through(40, chunks);
      assert.deepEqual(
        { text: normal(text), left },
        { text: normal(short.repeat(4)), left: Array(3).fill(Buffer.byteLength(long)) },
        `chunks of ${size}`,
      );
    }
  });
}

test('an event that is not finished does not come through', async () => {
  assert.deepEqual(await through(100, ['data: a\n\ndata: b\n']), {
    text: 'data: a\n\n',
    left: [],
  });
});

test('an event without end is told of once, and not kept', async () => {
  const chunks = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  assert.deepEqual(await through(5000, ['data: ', ...chunks]), { text: '', left: [1_000_006] });
});

test('what keeps a connection alive comes through', async () => {
  const { text } = await through(100, [': ping\n\n', '\n', '\n', ': ping\n\n']);
  assert.equal(text, ': ping\n\n\n\n: ping\n\n');
});

test('an event that is no UTF-8 is left out rather than altered, and what comes after it is not', async () => {
  const bad = Buffer.from('data: caf\xe9\n\n', 'latin1');
  const good = 'data: café\n\n';
  for (const chunks of [[bad, good], [...Buffer.concat([bad, Buffer.from(good)])].map(one)]) {
    assert.deepEqual(await through(100, chunks), { text: good, left: [bad.length] });
  }
});

test('an event that is nested without end is left out, also where a quote stands before it', async () => {
  const nested = '['.repeat(2000);
  for (const before of ['', ': "\n', 'id: "\r\n', 'event: \\"\r', 'data: "\\\n']) {
    const { text, left } = await through(10_000, [`${before}data: ${nested}\n\n`, 'data: a\n\n']);
    assert.deepEqual([text, left.length], ['data: a\n\n', 1], before);
  }
  const quoted = `data: "${nested}"\n\n`;
  assert.deepEqual(await through(10_000, [quoted]), { text: quoted, left: [] });
});

test('a flood is let through in turns', async () => {
  const events = Array.from({ length: 1000 }, (_, index) => `data: ${index}\n\n`);
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { text } = await through(100, [events.join('')]);
  clearImmediate(next);
  assert.equal(text, events.join(''));
  assert.ok(turns >= 15, String(turns));
});

function one(byte: number): Buffer {
  return Buffer.of(byte);
}
