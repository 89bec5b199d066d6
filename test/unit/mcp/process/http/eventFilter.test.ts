import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventFilter } from '../../../../../src/mcp/process/http/limitedFetch.ts';
import { ReadingTurn } from '../../../../../src/mcp/process/readingTurn.ts';

/** The events that pass, and the lengths of those left out. */
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

/** The same for a reader, to whom kinds of line breaks and empty events mean nothing. */
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
  test(`passes events unchanged and leaves out a long one: lines end with ${name}`, async () => {
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

test('mends a message in an event', async () => {
  const events = (data: string) => `event: message\ndata: ${data}\nid: 7\n\n`;
  const { text } = await through(100, [events('{"id":1,"result":null,"error":null}')]);
  assert.equal(text, events('{"jsonrpc":"2.0","id":1,"result":{}}'));
});

test('holds back an unfinished event', async () => {
  assert.deepEqual(await through(100, ['data: a\n\ndata: b\n']), { text: 'data: a\n\n', left: [] });
});

test('reports an endless event once, and does not keep it', async () => {
  const chunks = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  assert.deepEqual(await through(5000, ['data: ', ...chunks]), { text: '', left: [1_000_006] });
});

test('passes comments that keep a connection alive', async () => {
  const { text } = await through(100, [': ping\n\n', '\n', '\n', ': ping\n\n']);
  assert.equal(text, ': ping\n\n\n\n: ping\n\n');
});

test('leaves out an event with invalid UTF-8 rather than altering it, and passes the next', async () => {
  const bad = Buffer.from('data: caf\xe9\n\n', 'latin1');
  const good = 'data: café\n\n';
  for (const chunks of [[bad, good], [...Buffer.concat([bad, Buffer.from(good)])].map(one)]) {
    assert.deepEqual(await through(100, chunks), { text: good, left: [bad.length] });
  }
});

test('leaves out an endlessly nested event, even after a quote', async () => {
  const nested = '['.repeat(2000);
  for (const before of ['', ': "\n', 'id: "\r\n', 'event: \\"\r', 'data: "\\\n']) {
    const { text, left } = await through(10_000, [`${before}data: ${nested}\n\n`, 'data: a\n\n']);
    assert.deepEqual([text, left.length], ['data: a\n\n', 1], before);
  }
  const quoted = `data: "${nested}"\n\n`;
  assert.deepEqual(await through(10_000, [quoted]), { text: quoted, left: [] });
});

test('passes a flood in turns', async () => {
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
