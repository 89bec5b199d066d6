import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Failure } from '../../src/domain/servers/serverFailure.ts';
import { unreadSentence } from '../../src/mcp/process/unreadMessage.ts';
import { isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { faultyServer } from '../support/recordingServer.ts';
import { skipClosedStdio } from '../support/systems.ts';

const web = root('web');

/** A server that makes a mistake on request, beside a healthy one that must stay healthy. */
async function twoServers(t: TestContext) {
  const [server, well] = [faultyServer(t), faultyServer(t)];
  const faulty = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const other = recordingConnection(t);
  await Promise.all([
    faulty.connection.start(server.start, [web]),
    other.connection.start(well.start, [web]),
  ]);
  await Promise.all([faulty.answered(1), other.answered(1)]);
  const call = (name: string) => callText(faulty.connection, name);
  const isOtherWell = async () => {
    assert.equal(await callText(other.connection, 'echo'), 'well');
    assert.equal(other.connection.state.kind, 'running');
    assert.deepEqual(
      other.traffic.filter(({ kind }) => kind !== 'message'),
      [],
    );
  };
  let earlier = 0;
  const later = () => faulty.traffic.slice(earlier);
  const count = (kind: string) => later().filter(passed => passed.kind === kind).length;
  const rubbish = () => later().flatMap(passed => (passed.kind === 'rubbish' ? passed.length : []));
  /** Counts traffic from here on, because the test before has used these servers. */
  const forget = () => {
    earlier = faulty.traffic.length;
  };
  return { ...faulty, call, isOtherWell, count, rubbish, forget };
}

for (const [name, signal] of [
  ['close-output', null],
  ['close-output-and-stay', 'SIGKILL'],
] as const) {
  test(`a server that can't answer any more is ended with all its calls: ${name}`, {
    skip: skipClosedStdio,
  }, async t => {
    const { call, connection, isOtherWell } = await twoServers(t);
    const hanging = assert.rejects(call('hang'));
    const { pid } = connection.state as { readonly pid: number };
    await Promise.all([assert.rejects(call(name), { name: 'HumanError' }), isOtherWell()]);
    await hanging;
    const { failure } = connection.state as { readonly failure: Failure };
    assert.ok(failure.kind === 'ended' && failure.hadClosedOutput, JSON.stringify(failure));
    assert.equal(failure.end.signal, signal);
    assert.equal(isAlive(pid), false);
    await isOtherWell();
  });
}

test('a flood is reported in part, answered at a pace, and fails no call', async t => {
  const floods: Readonly<Record<string, (at: Awaited<ReturnType<typeof twoServers>>) => boolean>> =
    {
      'flood-roots': ({ answers }) => answers.length > 30 && answers.some(one => one.count > 20),
      'flood-notifications': ({ log }) => log.some(({ text }) => /^… \d+ more$/.test(text)),
      'flood-strays': ({ count }) => count('stray') > 5000,
      'flood-rubbish': ({ count }) => count('rubbish') > 5000,
    };
  for (const [name, hasCome] of Object.entries(floods)) {
    await t.test(name, async t => {
      const servers = await twoServers(t);
      const { call, answers, log, isOtherWell } = servers;
      const start = performance.now();
      await call(name);
      await until('much of it', () => hasCome(servers));
      // A server that asks without end answers after its questions.
      assert.ok(name === 'flood-roots' || (await call('echo')) === 'well');
      await isOtherWell();
      const seconds = Math.ceil((performance.now() - start) / 1000);
      assert.ok(answers.length <= 1 + 20 * (seconds + 1), `${answers.length} in ${seconds} s`);
      assert.ok(log.length <= 51 * (seconds + 1), `${log.length} in ${seconds} s`);
    });
  }
});

test('reads a last message without a line end before the server ends', async t => {
  const { call, connection, states } = await twoServers(t);
  assert.equal(await call('no-line-end'), 'last words');
  await until('the end', () => connection.state.kind === 'failed');
  const last = states.at(-1);
  assert.ok(last?.kind === 'failed' && last.failure.kind === 'ended');
  assert.equal(last.failure.end.code, 4);
});

test('a server that makes a mistake and goes on fails no other call', async t => {
  const { call, connection, isOtherWell, rubbish, forget } = await twoServers(t);
  t.beforeEach(forget);

  await t.test('a call that hangs delays no other, and can be cancelled', async () => {
    const giveUp = new AbortController();
    const hanging = assert.rejects(
      connection.callTool({ name: 'hang', arguments: {}, signal: giveUp.signal }),
    );
    assert.equal(await call('echo'), 'well');
    await isOtherWell();
    giveUp.abort();
    await hanging;
    assert.equal(connection.state.kind, 'running');
  });

  await t.test('text around a message is skipped and counted', async () => {
    assert.equal(await call('text-around'), 'found');
    await isOtherWell();
    assert.equal(await call('echo'), 'well');
    assert.deepEqual(
      rubbish(),
      ['before', 'glued ', ' after', 'end'].map(({ length }) => length),
    );
  });

  await t.test('a line of a hundred megabytes is dropped as it arrives', async () => {
    const before = process.memoryUsage().rss;
    const [text] = await Promise.all([call('huge-line'), isOtherWell()]);
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    assert.deepEqual([text, rubbish()], ['after it', [100 * 1024 * 1024]]);
    assert.ok(grown < 90, `${grown} MB`);
  });

  for (const [tool, defect] of [
    ['huge-answer', 'long'],
    ['huge-answer-named-last', 'long'],
    ['deep-answer', 'complex'],
    ['deep-answer-named-last', 'complex'],
    ['wide-answer', 'complex'],
    ['bad-utf8', 'malformed'],
    ['no-json', 'malformed'],
    ['no-result', 'malformed'],
  ] as const) {
    await t.test(`a call fails with the reason when its answer is not read: ${tool}`, async () => {
      await assert.rejects(
        call(tool),
        ({ message }: Error) => message.replace(/\d{7}/, '…') === unreadSentence(defect, '…'),
      );
      assert.equal(rubbish().length, 1);
      await isOtherWell();
      assert.equal(await call('echo'), 'well');
    });
  }

  await t.test('takes the real answer after copies of it in the text', async () => {
    assert.equal(await call('copies-first'), 'the real one');
    await isOtherWell();
  });
});
