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

test('a line of 8 MB is not too long', async t => {
  const wire = await served(t).open();
  const empty = wire.call('longest', 'read-file', { path: '' });
  const path = 'x'.repeat(8 * megabyte - empty.length + 1);
  await wire.write(wire.call('longest', 'read-file', { path }));
  const { result } = await wire.answer('longest');
  assert.equal(result?.isError, true);
  // The answer says what was wrong, and does not repeat all of it.
  assert.ok(JSON.stringify(result).length < 2000);
  await assertWorks(wire);
});

test('a client that no longer reads ends the server quietly', async t => {
  const wire = await served(t).open();
  await assertWorks(wire);
  wire.process.stdout.destroy();
  await wire.write(Array.from({ length: 100 }, (_, id) => wire.call(id, 'get-roots')).join(''));
  assert.equal(await wire.ended(), 0, wire.stderr);
  assert.deepEqual(wire.stderr.trim().split('\n').slice(1), []);
});

test('one client may do all of this, and is answered', async t => {
  const wire = await served(t).open();

  await t.test('a request that is no good is answered under its id', async () => {
    const nested = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    await wire.write('{"jsonrpc":"2.0","id":"a","method":5}\n');
    await wire.write('{"jsonrpc":"2.0","id":"b","method":"tools/list","extra":1}\n');
    await wire.write(`{"jsonrpc":"2.0","id":"c","method":"tools/list","params":${nested}}\n`);
    await wire.write(wire.line({ id: 'd', method: 'no/such/method' }));
    await wire.write(wire.line({ id: 'e', method: '__proto__' }));
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(id => wire.answer(id)));
    assert.deepEqual(
      answers.map(({ error }) => error?.code),
      [-32600, -32600, -32600, -32601, -32601],
    );
    await assertWorks(wire);
  });

  await t.test('responses to nothing, in any shape, cost nothing', async () => {
    const responses = [0, 1, -1, 999, 'x', null, 1.5, {}].flatMap(id => [
      { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///' }] } },
      { jsonrpc: '2.0', id, result: 5 },
      { jsonrpc: '2.0', id, error: { code: -32603, message: 'No.' } },
      { jsonrpc: '2.0', id, error: null },
    ]);
    await wire.write(responses.map(response => `${JSON.stringify(response)}\n`).join(''));
    await assertWorks(wire);
    assert.deepEqual(wire.toNobody, []);
  });

  await t.test('a line may come byte by byte, and after a pause', async () => {
    const bytes = Buffer.from(wire.call('slow', 'check-path', { path: 'ﬁle ☂ 😀' }));
    for (let at = 0; at < bytes.length; at++) {
      await wire.write(bytes.subarray(at, at + 1));
    }
    const answer = await wire.answer('slow');
    assert.equal(answer.result?.structuredContent?.['inside'], true, JSON.stringify(answer));
  });

  await t.test('half a line at the end of the input is ignored, and said', async () => {
    await assertWorks(wire);
    wire.process.stdin.end(wire.call('half', 'get-roots').slice(0, -5));
    assert.equal(await wire.ended(), 0);
    assert.match(wire.stderr, /The last \d+ bytes of standard input are no whole line/);
  });
});
