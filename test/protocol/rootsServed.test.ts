import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { isSoak } from '../support/effort.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { type RawServerOptions, rawServer } from '../support/recordingServer.ts';

const [web, api, docs] = [root('web'), root('api'), root('docs')];
const odd = { uri: 'file:///proj/a%20b%23%25/gr%C3%B6%C3%9Fe', name: 'größe & "co" 日本' };

/** A running connection to a raw server, after it has asked for these roots. */
async function running(
  t: TestContext,
  roots: readonly Root[] | undefined,
  options: RawServerOptions = {},
) {
  const server = rawServer(t, options);
  const recording = recordingConnection(t);
  const state = await recording.connection.start(server.start, roots);
  assert.equal(state.kind, 'running');
  if (roots && options.asks !== 'never') {
    await recording.answered(1);
  }
  const told = async (): Promise<readonly unknown[]> =>
    JSON.parse(await callText(recording.connection, 'answers'));
  return { ...recording, server, told };
}

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

for (const version of isSoak ? versions : versions.slice(0, 1)) {
  test(`a server of revision ${version} gets exactly the given roots`, async t => {
    const { connection, server, told, answers } = await running(t, [web, odd], { version });
    assert.deepEqual(await told(), [[web, odd]]);
    assert.deepEqual(connection.state, {
      kind: 'running',
      era: 'legacy',
      protocolVersion: version,
      pid: server.pids()[0],
    });
    assert.deepEqual(answers, [
      { era: 'legacy', trigger: { kind: 'roots/list' }, count: 1, roots: [web, odd] },
    ]);
  });
}

test('a server without visible roots gets the capability and an empty list', async t => {
  const { told, server } = await running(t, []);
  assert.deepEqual(await told(), [[]]);
  const [initialize] = server.messages().filter(({ method }) => method === 'initialize');
  assert.deepEqual((initialize as { params: { capabilities: unknown } }).params.capabilities, {
    roots: { listChanged: true },
  });
});

test('adding, removing, renaming and reordering each change the next answer', async t => {
  const { connection, answered, told, notices } = await running(t, [web]);
  const lists = [[web, api], [api], [{ ...api, name: 'The API' }, docs], [docs, api], []];
  for (const [index, roots] of lists.entries()) {
    connection.setRoots(roots);
    await answered(index + 2);
  }
  assert.deepEqual(await told(), [[web], ...lists]);
  assert.equal(notices(), lists.length);
});

test('a server that asked during the handshake gets a notice of changes after it', async t => {
  const server = rawServer(t, { asksEarly: true, asks: 'never' });
  const { connection, events, notices } = recordingConnection(t);
  // In the very turn: as soon as the server has the answer it goes on with the handshake.
  const first = new Promise(resolve => {
    events.onDidServeRoots(({ roots }) => {
      resolve([connection.state.kind, roots]);
      connection.setRoots([api]);
    });
  });
  const start = connection.start(server.start, [web]);
  assert.deepEqual(await first, ['starting', [web]]);
  await start;
  await until('the notice', () => notices() === 1);
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [api]);
});

test('a server that the user refused does not learn that roots exist', async t => {
  const { connection, answers, server, notices } = await running(t, undefined);
  connection.setRoots([web]);
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), {
    code: -32601,
    message: 'Roots not supported',
    data: { reason: 'Client does not have roots capability' },
  });
  assert.equal(notices(), 0);
  assert.deepEqual(answers, []);
  // Not even in the probe, which carries the capabilities of the later revision.
  assert.doesNotMatch(server.bytes(), /"roots"|listChanged|web/);
});

test('a root revoked while a start waits for a stop never reaches the new process', async t => {
  const server = rawServer(t);
  const { connection, answered } = recordingConnection(t);
  await connection.start(server.start, [docs]);
  await answered(1);
  const stop = connection.stop();
  const start = connection.start(server.start, [web, api]);
  connection.setRoots([api]);
  await Promise.all([stop, start]);
  assert.deepEqual((await answered(2)).roots, [api]);
  assert.equal(server.pids().length, 2);
  assert.doesNotMatch(server.bytes(), /web/);
});

test('a root revoked during the second try of a server never reaches it', async t => {
  const server = rawServer(t, { probe: 'exit' });
  const { connection, events, answered, stderr } = recordingConnection(t);
  events.onDidWriteStderr(() => connection.setRoots([api]));
  await connection.start(server.start, [web]);
  assert.deepEqual((await answered(1)).roots, [api]);
  assert.deepEqual(stderr, ['expected initialize']);
  assert.doesNotMatch(server.bytes(), /web/);
});
