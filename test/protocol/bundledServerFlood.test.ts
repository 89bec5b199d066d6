import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../support/bundledServer.ts';
import { busyTimeOf, peakMemoryOf } from '../support/cpuTime.ts';
import { effort, isSoak } from '../support/effort.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';
import { type Era, eras, Wire } from '../support/wire.ts';

const calls = 2000 * effort;
/** How much memory a flood may take at its peak, in MB. */
const mostMemory = 150;
/** The same for reads into buffers: Node frees none before it has some 100 MB. */
const mostWithBuffers = 350;

/** In milliseconds: over a thousand searches start a process each, and a machine may be busy. */
const timeout = 10 * 60_000;

const kilobyte = `${'x'.repeat(1023)}\n`;
/** A tool that is called, how, and what a good answer says. */
interface Flood {
  readonly tool: string;
  readonly args: object;
  readonly good: RegExp;
}

const check: Flood = { tool: 'check-path', args: { path: 'src/one.txt' }, good: /"inside":true/ };
const read = {
  tool: 'read-file',
  args: { path: 'src/one.txt' },
  good: /"size":1024/,
} satisfies Flood;
const search: Flood = { tool: 'search-text', args: { query: 'needle' }, good: /two\.txt/ };

/** A search takes longest, and how it is done does not depend on the era. */
const floods = isSoak ? { legacy: [read, search], modern: [read] } : { legacy: [read], modern: [] };

async function served(t: TestContext, era: Era): Promise<Wire> {
  const folder = tempFolder(t);
  writeTree(folder, { 'src/one.txt': kilobyte, 'src/two.txt': 'A needle.\n' });
  return new Wire(t, era, ['--root', folder]).open();
}

/** How many calls succeeded; the others were told that the server is busy, and nothing else. */
async function countGood(wire: Wire, good: RegExp, count: number): Promise<number> {
  let succeeded = 0;
  for (let id = 0; id < count; id++) {
    const answer = await wire.answer(id);
    if (answer.result?.isError) {
      assert.equal(said(textOf(answer)), 'runningCall.busy()');
    } else {
      assert.match(JSON.stringify(answer.result), good);
      succeeded += 1;
    }
  }
  return succeeded;
}

const textOf = ({ result }: Message) => result?.content[0]?.text ?? '';

async function assertWorks(wire: Wire): Promise<void> {
  const { result } = await wire.ask('tools/call', { name: check.tool, arguments: check.args });
  assert.match(JSON.stringify(result), check.good);
}

function assertSmall(wire: Wire, most = mostMemory): void {
  const peak = peakMemoryOf(wire.process.pid);
  assert.ok(peak <= most, `${peak.toFixed()} MB`);
}

for (const era of eras) {
  for (const { tool, args, good } of floods[era]) {
    const name = `${calls} calls of ${tool} at once are all answered, in little memory (${era})`;
    test(name, { timeout }, async t => {
      const wire = await served(t, era);
      await wire.write(
        Array.from({ length: calls }, (_, id) => wire.call(id, tool, args)).join(''),
      );
      // As many as run and wait, at least.
      assert.ok((await countGood(wire, good, calls)) >= 1032);
      assertSmall(wire, tool === search.tool ? mostWithBuffers : mostMemory);
      await assertWorks(wire);
    });
  }
}

for (const era of isSoak ? eras : (['modern'] as const)) {
  test(`stops working for a client until it reads answers (${era})`, async t => {
    const wire = await served(t, era);
    wire.process.stdout.pause();
    // More than lies in the pipe, in the streams of both ends, and is read ahead.
    const path = `${'./'.repeat(500)}${read.args.path}`;
    const lines = Array.from({ length: calls }, (_, id) => wire.call(id, read.tool, { path }));
    const written = wire.write(lines.join(''));
    await standsStill(wire);
    // Some bytes are still unsent: the server has stopped reading.
    assert.ok(wire.process.stdin.writableLength > 0);
    assertSmall(wire);
    wire.process.stdout.resume();
    await written;
    assert.ok((await countGood(wire, read.good, calls)) >= 1032);
    assertSmall(wire);
    await assertWorks(wire);
  });
}

test('drops lines of 100 MB as they arrive, and answers them', async t => {
  const wire = await served(t, 'legacy');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
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
  await wire.found('an answer without an id', () => wire.toNobody[0]);
  assert.deepEqual(
    [...wire.toNobody, ...answers].map(({ error }) => error?.code),
    [-32600, -32600, -32600],
  );
  assert.match(answers[0]!.error!.message, /104857\d\d\d bytes .* The limit is 8388608/);
  await assertWorks(wire);
  assertSmall(wire);
});

/** Settles when the server has not computed for a while: that it waits, no event tells. */
async function standsStill(wire: Wire): Promise<void> {
  let [before, quiet] = [0, 0];
  while (quiet < 10) {
    await delay(100);
    const cpu = busyTimeOf(wire.process.pid);
    quiet = cpu === before ? quiet + 1 : 0;
    before = cpu;
  }
}
