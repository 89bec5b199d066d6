import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Message } from '../support/bundledServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { Wire } from '../support/wire.ts';

const megabyte = 1024 * 1024;

/** A server with one file in its root. */
function served(t: TestContext): Wire {
  const folder = tempFolder(t);
  writeTree(folder, { 'notes.txt': 'A note.\n' });
  return new Wire(t, 'legacy', ['--root', folder]);
}

/** That the same process still answers as it should. */
async function assertWorks(wire: Wire): Promise<void> {
  const answer = await wire.ask('tools/call', {
    name: 'read-file',
    arguments: { path: 'notes.txt' },
  });
  assert.equal(answer.result?.structuredContent?.['text'], 'A note.\n');
}

/** `[id, code]` of the answers to nobody that have come. */
const codes = (answers: readonly Message[]) => answers.map(({ id, error }) => [id, error?.code]);

test('lines that are no messages are answered, and cost nothing else', async t => {
  const wire = await served(t).open();
  const start = performance.now();
  const lines: readonly (readonly [string | Buffer, code: number])[] = [
    ['hello', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/li', -32700],
    [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), -32700],
    [Buffer.from('ﬁle', 'utf16le'), -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['"text"', -32600],
    ['{"jsonrpc":"1.0","method":"ping"}', -32600],
    ['['.repeat(megabyte), -32700],
    [`${'['.repeat(megabyte)}${']'.repeat(megabyte)}`, -32600],
  ];
  for (const [line] of lines) {
    await wire.write(Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]));
  }
  await wire.write('\n\r\n \n\ufeff\n');
  await wire.answersToNobody(lines.length);
  assert.deepEqual(
    codes(wire.toNobody),
    lines.map(([, code]) => [null, code]),
  );
  await assertWorks(wire);
  const logged = wire.stderr.split('was refused').length - 1;
  const seconds = Math.ceil((performance.now() - start) / 1000);
  assert.ok(logged >= 1 && logged <= seconds, wire.stderr);
});

test('lines of 100 MB are dropped while they come, and answered', async t => {
  const wire = await served(t).open();
  const chunk = Buffer.alloc(megabyte, 'x');
  const [head, tail] = wire.call('long', 'read-file', { path: '%' }).split('%');
  const ends = [
    ['', '\n'],
    [head!, tail!],
    ['{"method":"x","params":{"text":"', '"},"jsonrpc":"2.0","id":"last"}\n'],
  ] as const;
  for (const [start, end] of ends) {
    await wire.write(start);
    for (let sent = 0; sent < 100; sent++) {
      await wire.write(chunk);
    }
    await wire.write(end);
  }
  const answers = await Promise.all(['long', 'last'].map(id => wire.answer(id)));
  await wire.answersToNobody(1);
  assert.deepEqual(
    [...wire.toNobody, ...answers].map(({ error }) => error?.code),
    [-32600, -32600, -32600],
  );
  assert.match(answers[0]!.error!.message, /104857\d\d\d bytes .* 8388608 is the most/);
  await assertWorks(wire);
  const peak = wire.peakMemory();
  assert.ok(peak <= 150, `${peak} MB`);
});
