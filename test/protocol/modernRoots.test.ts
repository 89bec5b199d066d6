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
  const { connection, server, answers, states } = await running(t, [web]);
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['starting', 'running'],
  );

  await t.test('a call that asks for nothing exposes nothing', async () => {
    assert.equal(await callText(connection, 'plain'), 'no roots needed');
    assert.deepEqual(answers, []);
    assert.doesNotMatch(server.bytes(), /file:/);
  });

  await t.test('a tool that asks gets the present roots, as the exposure says', async () => {
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
  });

  await t.test('simultaneous calls each get the roots', async () => {
    connection.setRoots([web]);
    const before = answers.length;
    const texts = await Promise.all(
      ['where', 'where', 'plain', 'where'].map(tool => callText(connection, tool)),
    );
    const roots = JSON.stringify([web]);
    assert.deepEqual(texts, [roots, roots, 'no roots needed', roots]);
    assert.equal(answers.length - before, 3);
  });
});

test('a call that asks waits for a look at the disk, and other calls need none', async t => {
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

test('refuses questions of a modern server outside of a call: its revision has none', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection, answers } = recordingConnection(t);
  await connection.start(server.start, [web]);
  assert.match(await callText(connection, 'ask'), /Roots not supported/);
  await assert.rejects(callText(connection, 'nosy'));
  assert.deepEqual(answers, []);
  assert.doesNotMatch(server.bytes(), /file:/);
});

test('a modern server that the user refused gets no roots and no capability', async t => {
  const { connection, answers, server } = await running(t, undefined);
  connection.setRoots([web]);
  await assert.rejects(callText(connection, 'where'), /roots/);
  assert.deepEqual(answers, []);
  assert.equal(await callText(connection, 'plain'), 'no roots needed');
  assert.doesNotMatch(server.bytes(), /roots|listChanged|file:/);
});
