import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import {
  faultyServer,
  modernServer,
  type RecordingServer,
  rawServer,
} from '../support/recordingServer.ts';

const web = root('web');

function levelsAskedFor(server: RecordingServer): unknown[] {
  return server.messages().flatMap(({ method, params }) => {
    return method === 'logging/setLevel' ? [(params as { level: string }).level] : [];
  });
}

test('asks a legacy server that logs for the wanted level', async t => {
  const server = faultyServer(t);
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  assert.equal(await callText(connection, 'echo'), 'well');
  assert.deepEqual(levelsAskedFor(server), [], 'none is wanted yet');
  for (const level of ['info', 'info', 'debug'] as const) {
    connection.setLogLevel(level);
  }
  // It refuses, which does no harm, and gets the same level at its next start.
  assert.equal(await callText(connection, 'echo'), 'well');
  await connection.stop();
  await connection.start(server.start, [web]);
  await until('three requests', () => server.count('logging/setLevel') === 3);
  assert.deepEqual(levelsAskedFor(server), ['info', 'debug', 'debug']);
});

test('asks nothing of a server that does not say that it logs', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  connection.setLogLevel('debug');
  await connection.listTools();
  assert.deepEqual(levelsAskedFor(server), []);
});

test('sends the level to a modern server with each call', async t => {
  const server = modernServer(t);
  const { connection, log } = recordingConnection(t);
  await connection.start(server.start, [web]);
  await callText(connection, 'talkative');
  connection.setLogLevel('info');
  await callText(connection, 'talkative');
  connection.setLogLevel('debug');
  await callText(connection, 'talkative');
  assert.deepEqual(
    log.map(({ level }) => level),
    ['warning', 'debug', 'warning'],
  );
  assert.equal(server.count('logging/setLevel'), 0);
});

test('asks for no list changes that a server does not offer', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection } = recordingConnection(t);
  assert.equal((await connection.start(server.start, [web])).kind, 'running');
  await assert.rejects(callText(connection, 'nosy'));
  assert.equal(server.count('subscriptions/listen'), 0);
});
