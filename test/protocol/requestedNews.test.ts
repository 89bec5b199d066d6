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

/** Settles when a message of this method has come to the server. */
function sent(server: RecordingServer, method: string, count = 1): Promise<void> {
  return until(`${count} × ${method}`, () => server.count(method) >= count);
}

function levelsAskedFor(server: RecordingServer): unknown[] {
  return server.messages().flatMap(({ method, params }) => {
    return method === 'logging/setLevel' ? [(params as { level: string }).level] : [];
  });
}

test('a server of the older revisions that logs is asked for the level that is wanted', async t => {
  const server = faultyServer(t);
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  assert.equal(await callText(connection, 'echo'), 'well');
  assert.deepEqual(levelsAskedFor(server), [], 'none is wanted yet');
  connection.setLogLevel('info');
  connection.setLogLevel('info');
  connection.setLogLevel('debug');
  await sent(server, 'logging/setLevel', 2);
  assert.deepEqual(levelsAskedFor(server), ['info', 'debug']);
  // It refuses, which is no harm.
  assert.equal(await callText(connection, 'echo'), 'well');
});

test('a level that was set before the start is the one that is asked for', async t => {
  const server = faultyServer(t);
  const { connection } = recordingConnection(t);
  connection.setLogLevel('debug');
  await connection.start(server.start, [web]);
  await sent(server, 'logging/setLevel');
  assert.deepEqual(levelsAskedFor(server), ['debug']);
});

test('a server that does not say that it logs is asked for nothing', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  connection.setLogLevel('debug');
  await connection.listTools();
  assert.deepEqual(levelsAskedFor(server), []);
});

test('a server of the later revisions is told the level with each call, and in no other way', async t => {
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

test('a server that does not say that its tools change is not asked to tell', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection } = recordingConnection(t);
  assert.equal((await connection.start(server.start, [web])).kind, 'running');
  await assert.rejects(callText(connection, 'nosy'));
  assert.equal(server.count('subscriptions/listen'), 0);
});
