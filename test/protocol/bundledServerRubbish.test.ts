import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder, writeTree } from '../support/temp.ts';
import { Wire } from '../support/wire.ts';

const megabyte = 1024 * 1024;

/** That the same process still answers as it should. */
async function assertWorks(wire: Wire): Promise<void> {
  const answer = await wire.ask('tools/call', {
    name: 'read-file',
    arguments: { path: 'notes.txt' },
  });
  assert.equal(answer.result?.structuredContent?.['text'], 'A note.\n');
}

test('lines of 100 MB are dropped while they come, and answered', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'notes.txt': 'A note.\n' });
  const wire = await new Wire(t, 'legacy', ['--root', folder]).open();
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
