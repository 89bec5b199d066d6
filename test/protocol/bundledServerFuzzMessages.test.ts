import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { anyText, junk } from '../support/anyArguments.ts';
import { effort } from '../support/effort.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { type Era, eras, Wire } from '../support/wire.ts';

const requests =
  'initialize server/discover ping tools/list tools/call resources/list resources/read ' +
  'resources/templates/list resources/subscribe prompts/get completion/complete logging/setLevel ' +
  'roots/list sampling/createMessage subscriptions/listen tasks/get';
const notices = 'initialized cancelled progress roots/list_changed nothing/known';
const methods = [
  ...requests.split(' '),
  ...notices.split(' ').map(name => `notifications/${name}`),
  ...['no/such/method', '__proto__', 'toString', ''],
];

const text = anyText(['notes.txt', '.', 'get-roots', 'read-file', 'file:///']);
const garbage = junk(text);
/** Small, so that many are used twice, and some are cancelled while they are at work. */
const smallId = fc.integer({ min: 0, max: 20 });
const id = fc.oneof(
  { weight: 6, arbitrary: smallId },
  { weight: 1, arbitrary: fc.oneof(text, garbage) },
);
const params = fc.oneof(
  fc.constant({ name: 'read-file', arguments: { path: 'notes.txt' } }),
  fc.record(
    {
      name: text,
      arguments: garbage,
      uri: text,
      cursor: garbage,
      requestId: id,
      progressToken: id,
      progress: garbage,
      _meta: garbage,
      ref: garbage,
      argument: garbage,
      inputResponses: garbage,
      requestState: garbage,
      protocolVersion: fc.oneof(fc.constantFrom('2025-06-18', '1900-01-01'), garbage),
      capabilities: garbage,
      clientInfo: garbage,
    },
    { requiredKeys: [] },
  ),
);

/** Messages that are valid, nearly valid, or nonsense. */
const messages = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id, method: fc.constantFrom(...methods), params }) },
  { weight: 3, arbitrary: fc.record({ method: fc.constantFrom(...methods), params }) },
  { weight: 2, arbitrary: fc.record({ id, result: fc.oneof(params, garbage) }) },
  { weight: 1, arbitrary: fc.record({ id, error: fc.oneof(params, garbage) }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('id', 'method', 'params'), garbage) },
);

const wholeLines = messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const lines = fc.oneof(
  { weight: 12, arbitrary: wholeLines.map(line => Buffer.from(line)) },
  // Half a line: what comes next becomes its end.
  { weight: 1, arbitrary: wholeLines.map(line => Buffer.from(line.slice(0, line.length / 2))) },
  { weight: 2, arbitrary: garbage.map(value => Buffer.from(`${JSON.stringify(value)}\n`)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r\n', '\ufeff\n', '\0\n').map(Buffer.from) },
);
const streams = fc.array(lines, { minLength: 1, maxLength: 30 }).map(parts => Buffer.concat(parts));

function served(t: TestContext, era: Era): Wire {
  const folder = tempFolder(t);
  writeTree(folder, { 'notes.txt': 'A note.\n' });
  return new Wire(t, era, ['--root', folder]);
}

async function assertWorks(wire: Wire): Promise<void> {
  const read = { name: 'read-file', arguments: { path: 'notes.txt' } };
  const { result } = await wire.ask('tools/call', read);
  assert.equal(result?.structuredContent?.['text'], 'A note.\n', wire.stderr);
}

for (const era of eras) {
  test(`answers a client as before after any message (${era})`, async t => {
    const wire = await served(t, era).open();
    await fc.assert(
      fc.asyncProperty(streams, async stream => {
        await wire.write(stream);
        await wire.write('\n');
        await assertWorks(wire);
      }),
      { numRuns: 20 * effort },
    );
    assert.doesNotMatch(wire.stderr, /\n {4}at /);
  });

  test(`answers every valid request exactly once (${era})`, async t => {
    const wire = await served(t, era).open();
    let next = 0;
    const requests = fc.record({ method: fc.constantFrom(...methods.slice(1)), params });
    const batches = fc.array(requests, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(batches, async batch => {
        const sent = batch.map(request => {
          next += 1;
          return { ...request, id: `request ${next}` };
        });
        await wire.write(sent.map(request => wire.line(request)).join(''));
        for (const { id: sentId, method } of sent) {
          // A subscription is answered when it ends.
          if (method !== 'subscriptions/listen') {
            const { result, error } = await wire.answer(sentId);
            assert.match(result ? 'Fine.' : error!.message, /\S{3}/, method);
          }
        }
      }),
      { numRuns: 20 * effort },
    );
    await assertWorks(wire);
    assert.deepEqual(wire.unexpected, []);
  });

  test(`answers the handshake whatever came before it (${era})`, async t => {
    const starts = fc.sample(streams, { numRuns: 4, seed: Date.now() });
    for (const start of starts) {
      const wire = served(t, era);
      await wire.write(start);
      await wire.write('\n');
      // Its first message may have named the wrong era, but the client gets an answer.
      const answer = await wire.ask('tools/list');
      assert.ok(answer.result ?? answer.error, start.toString('base64'));
      wire.process.stdin.end();
      assert.equal((await wire.exited)[0], 0, `${start.toString('base64')}\n${wire.stderr}`);
    }
  });
}
