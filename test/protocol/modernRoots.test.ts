import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { modernServer, rawServer } from '../support/recordingServer.ts';

const [web, api] = [root('web'), root('api')];

/** A running connection to a server that speaks revision 2026-07-28 only. */
async function running(t: TestContext, roots: readonly Root[] | undefined) {
  const server = modernServer(t);
  const recording = recordingConnection(t);
  const state = await recording.connection.start(server.start, roots);
  assert.deepEqual(state, {
    kind: 'running',
    era: 'modern',
    protocolVersion: '2026-07-28',
    pid: server.pids()[0],
  });
  assert.equal(server.pids().length, 1);
  return { ...recording, server };
}

test('a modern server', async t => {
  const { connection, server, answers, log, states } = await running(t, [web]);
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['starting', 'running'],
  );

  await t.test('a call that asks for nothing exposes nothing', async () => {
    assert.equal(await callText(connection, 'plain'), 'no roots needed');
    assert.deepEqual(answers, []);
    assert.doesNotMatch(server.bytes(), /file:/);
  });

  await t.test(
    'a modern tool that asks gets exactly the roots of now, and the exposure names the tool',
    async () => {
      assert.deepEqual(JSON.parse(await callText(connection, 'where')), [web]);
      connection.setRoots([api, web]);
      assert.deepEqual(JSON.parse(await callText(connection, 'where')), [api, web]);
      connection.setRoots([]);
      assert.deepEqual(JSON.parse(await callText(connection, 'where')), []);
      const trigger = { kind: 'tools/call', tool: 'where' };
      assert.deepEqual(answers, [
        { era: 'modern', trigger, count: 1, roots: [web] },
        { era: 'modern', trigger, count: 1, roots: [api, web] },
        { era: 'modern', trigger, count: 1, roots: [] },
      ]);
    },
  );

  await t.test(
    'what a modern server says during a call is told of, since the call asks for it',
    async () => {
      assert.equal(await callText(connection, 'talkative'), 'said');
      assert.deepEqual(log, [
        { level: 'warning', logger: 'disk', text: '{"disk":"almost full"}', isJson: true },
      ]);
    },
  );

  await t.test('calls at the same time get the roots each for itself', async () => {
    connection.setRoots([web]);
    const before = answers.length;
    const texts = await Promise.all(
      ['where', 'where', 'plain', 'where'].map(tool => callText(connection, tool)),
    );
    const roots = JSON.stringify([web]);
    assert.deepEqual(texts, [roots, roots, 'no roots needed', roots]);
    assert.equal(answers.length - before, 3);
  });

  await t.test(
    'the state of a request comes back exactly, and is left out where none came',
    async () => {
      const before = server.messages().length;
      assert.equal(await callText(connection, 'with-state'), 'opaque {"é": 1}');
      await callText(connection, 'where');
      const calls = server
        .messages()
        .slice(before)
        .filter(({ method }) => method === 'tools/call');
      const states = calls.map(({ params }) => Object.entries(params as object));
      assert.deepEqual(
        states.map(params => params.find(([name]) => name === 'requestState')?.[1]),
        [undefined, 'opaque {"é": 1}', undefined, undefined],
      );
    },
  );

  await t.test(
    'a tool that asks without end is given up with a sentence for a person',
    async () => {
      const before = answers.length;
      await assert.rejects(callText(connection, 'endless'), {
        name: 'HumanError',
        message: 'The tool "endless" asked for input again and again.',
      });
      // What would answer the last question is not sent, and so it is not told of.
      assert.equal(answers.length - before, 10);
    },
  );

  await t.test('a call can be called off while it runs', async () => {
    const signal = AbortSignal.abort(new Error('changed my mind'));
    await assert.rejects(connection.callTool({ name: 'where', arguments: {}, signal }));
    assert.deepEqual(JSON.parse(await callText(connection, 'where')), [web]);
  });
});

test('a call that asks waits for a look, and one that does not ask has none', async t => {
  const server = modernServer(t);
  let looks = 0;
  const look = async () => {
    await new Promise(setImmediate);
    looks += 1;
    connection.setRoots([api]);
  };
  const { connection, answers } = recordingConnection(t, {}, undefined, look);
  await connection.start(server.start, [web]);
  assert.equal(await callText(connection, 'plain'), 'no roots needed');
  assert.equal(looks, 0);
  assert.deepEqual(JSON.parse(await callText(connection, 'where')), [api]);
  assert.deepEqual([looks, answers.map(({ roots }) => roots)], [1, [[api]]]);
  assert.doesNotMatch(server.bytes(), /proj\/web/);
});

test('no notice of a change goes to a modern server: there is none in its revision', async t => {
  const { connection, server } = await running(t, [web]);
  // What the server answers to the handshake is there: a timer of it could not be cleared later.
  await callText(connection, 'plain');
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  for (const roots of [[api], [web, api], []]) {
    connection.setRoots(roots);
    t.mock.timers.tick(5000);
  }
  await callText(connection, 'plain');
  assert.doesNotMatch(server.bytes(), /list_changed/);
});

test('a tool that asks for what it was not offered fails with a sentence, and gets nothing', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection, answers } = recordingConnection(t);
  await connection.start(server.start, [web]);
  await assert.rejects(callText(connection, 'nosy'), {
    name: 'HumanError',
    message: 'The tool "nosy" asked for elicitation/create, which it was not offered.',
  });
  assert.deepEqual(answers, []);
  assert.deepEqual(connection.state.kind, 'running');
  assert.doesNotMatch(server.bytes(), /file:/);
});

test('a modern server that asks outside of a call gets no answer: its revision has no such request', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection, answers } = recordingConnection(t);
  await connection.start(server.start, [web]);
  const call = assert.rejects(callText(connection, 'ask'));
  await assert.rejects(callText(connection, 'nosy'));
  assert.deepEqual(answers, []);
  assert.doesNotMatch(server.bytes(), /file:/);
  await connection.stop();
  await call;
});

test('a modern server that is refused altogether gets neither roots nor the capability', async t => {
  const { connection, answers, server } = await running(t, undefined);
  connection.setRoots([web]);
  await assert.rejects(callText(connection, 'where'), /roots/);
  assert.deepEqual(answers, []);
  assert.equal(await callText(connection, 'plain'), 'no roots needed');
  assert.doesNotMatch(server.bytes(), /roots|listChanged|file:/);
});
