import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Failure } from '../../src/domain/servers/serverFailure.ts';
import { isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { faultyServer } from '../support/recordingServer.ts';
import { skipClosedStdio } from '../support/systems.ts';

const web = root('web');

/** A server that does something wrong when it is told to, beside one that is well and must stay so. */
async function twoServers(t: TestContext) {
  const [server, well] = [faultyServer(t), faultyServer(t)];
  const faulty = recordingConnection(t, { neglect: 100, stop: { end: 500, terminate: 500 } });
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
  /** From here on counts what passes, in a test that has these servers from the one before. */
  const forget = () => {
    earlier = faulty.traffic.length;
  };
  return { ...faulty, call, isOtherWell, count, rubbish, forget };
}

for (const [name, signal] of [
  ['close-output', null],
  ['close-output-and-stay', 'SIGKILL'],
] as const) {
  test(`a server that can't answer any more is ended, and all its calls with it: ${name}`, {
    skip: skipClosedStdio,
  }, async t => {
    const { call, connection, isOtherWell } = await twoServers(t);
    const hanging = assert.rejects(call('hang'));
    const { pid } = connection.state as { readonly pid: number };
    await Promise.all([
      assert.rejects(call(name), /^HumanError: The server (?:ended|closed its output)/),
      isOtherWell(),
    ]);
    await hanging;
    const { failure } = connection.state as { readonly failure: Failure };
    assert.ok(failure.kind === 'ended' && failure.hadClosedOutput, JSON.stringify(failure));
    assert.equal(failure.end.signal, signal);
    assert.equal(isAlive(pid), false);
    await isOtherWell();
  });
}

test('a flood of roots/list is answered at a pace, and everything else works meanwhile', async t => {
  const { call, answers, isOtherWell } = await twoServers(t);
  const start = performance.now();
  await call('flood-roots');
  await until('many together', () => answers.some(({ count }) => count > 20));
  await isOtherWell();
  await until('more of them', () => answers.length > 30);
  const seconds = Math.ceil((performance.now() - start) / 1000);
  assert.ok(answers.length <= 1 + 20 * (seconds + 1), `${answers.length} in ${seconds} s`);
});

test('a flood of log messages is told of in part and counted, and costs nobody a call', async t => {
  const { call, log, isOtherWell } = await twoServers(t);
  const start = performance.now();
  await call('flood-notifications');
  await until('the number', () => log.some(({ text }) => /^… \d+ more$/.test(text)));
  assert.equal(await call('echo'), 'well');
  await isOtherWell();
  assert.deepEqual(log[0], { level: 'debug', logger: 'faulty', text: 'again' });
  const seconds = Math.ceil((performance.now() - start) / 1000);
  assert.ok(log.length <= 51 * (seconds + 1), `${log.length} in ${seconds} s`);
});

for (const [name, kind] of [
  ['flood-strays', 'stray'],
  ['flood-rubbish', 'rubbish'],
] as const) {
  test(`a ${name.replace('-', ' of ')} is counted, and costs nobody a call`, async t => {
    const { call, count, isOtherWell } = await twoServers(t);
    await call(name);
    await until('many of it', () => count(kind) > 5000);
    assert.equal(await call('echo'), 'well');
    await isOtherWell();
  });
}

test('a last message without a line end is heard before the end of its server', async t => {
  const { call, connection, states } = await twoServers(t);
  assert.equal(await call('no-line-end'), 'last words');
  await until('the end', () => connection.state.kind === 'failed');
  const last = states.at(-1);
  assert.ok(last?.kind === 'failed' && last.failure.kind === 'ended');
  assert.equal(last.failure.end.code, 4);
});

test('a server that does not ask again after a notice is told of, until it does', async t => {
  const { call, connection, neglect } = await twoServers(t);
  connection.setRoots([]);
  await until('neglect', () => neglect.length === 1);
  await call('flood-roots');
  await until('its end', () => neglect.length === 2);
  assert.deepEqual(neglect, [true, false]);
});

const tooLong =
  /^The answer has 9437\d{3} bytes and was dropped: 8388608 is the most\. Ask for less/;
const tooIntricate = /^The answer is nested too deep, or has too many parts.* Ask for less/;
const noMessage = /^The answer is no JSON-RPC message in UTF-8 and was dropped\.$/;

test('a server that does something wrong and goes on costs nobody anything', async t => {
  const { call, connection, isOtherWell, rubbish, forget } = await twoServers(t);
  t.beforeEach(forget);

  await t.test(
    'a call that hangs holds up no other call, here or elsewhere, and can be given up',
    async () => {
      const giveUp = new AbortController();
      const hanging = assert.rejects(
        connection.callTool({ name: 'hang', arguments: {}, signal: giveUp.signal }),
      );
      assert.equal(await call('echo'), 'well');
      await isOtherWell();
      giveUp.abort();
      await hanging;
      assert.equal(connection.state.kind, 'running');
    },
  );

  await t.test(
    'text before and after a message, on its line and on others, is skipped and counted',
    async () => {
      assert.equal(await call('text-around'), 'found');
      await isOtherWell();
      assert.equal(await call('echo'), 'well');
      assert.deepEqual(
        rubbish(),
        ['before', 'glued ', ' after', 'end'].map(({ length }) => length),
      );
    },
  );

  await t.test(
    'a line of a hundred megabytes is dropped while it comes in, and told of by its length',
    async () => {
      const before = process.memoryUsage().rss;
      const [text] = await Promise.all([call('huge-line'), isOtherWell()]);
      const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
      assert.deepEqual([text, rubbish()], ['after it', [100 * 1024 * 1024]]);
      assert.ok(grown < 90, `${grown} MB`);
    },
  );

  for (const [tool, told] of [
    ['huge-answer', tooLong],
    ['huge-answer-named-last', tooLong],
    ['deep-answer', tooIntricate],
    ['deep-answer-named-last', tooIntricate],
    ['wide-answer', tooIntricate],
    ['bad-utf8', noMessage],
    ['no-json', noMessage],
    ['no-result', noMessage],
  ] as const) {
    await t.test(`who waits for an answer that is not read is told why: ${tool}`, async () => {
      await assert.rejects(call(tool), ({ message }: Error) => told.test(message));
      assert.equal(rubbish().length, 1);
      await isOtherWell();
      assert.equal(await call('echo'), 'well');
    });
  }

  await t.test(
    'copies of an answer that are printed for a person do not stand for it',
    async () => {
      assert.equal(await call('copies-first'), 'the real one');
      await isOtherWell();
    },
  );
});
