import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLimiter } from '../../src/mcp/http/eventLimiter.ts';

/** What comes through, and how many events were too long. */
async function through(limit: number, chunks: readonly (string | Buffer)[]) {
  let tooLong = 0;
  const limiter = eventLimiter(limit, () => {
    tooLong += 1;
  });
  const bytes = chunks.map(chunk => new Uint8Array(Buffer.from(chunk as string)));
  const parts: Uint8Array[] = [];
  for await (const part of ReadableStream.from(bytes).pipeThrough(limiter)) {
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString(), tooLong };
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
      const { text, tooLong } = await through(40, chunks);
      assert.deepEqual(
        { text: normal(text), tooLong },
        { text: normal(short.repeat(4)), tooLong: 3 },
        `chunks of ${size}`,
      );
    }
  });
}

test('an event that is not finished does not come through', async () => {
  assert.deepEqual(await through(100, ['data: a\n\ndata: b\n']), {
    text: 'data: a\n\n',
    tooLong: 0,
  });
});

test('an event without end is told of once, and not kept', async () => {
  const chunks = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  assert.deepEqual(await through(5000, ['data: ', ...chunks]), { text: '', tooLong: 1 });
});

test('what keeps a connection alive comes through', async () => {
  const { text } = await through(100, [': ping\n\n', '\n', '\n', ': ping\n\n']);
  assert.equal(text, ': ping\n\n\n\n: ping\n\n');
});
