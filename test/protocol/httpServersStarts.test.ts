import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../src/domain/sentence.ts';
import { until } from '../support/processes.ts';
import { rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');

test('refuses a redirect to another origin, and sends no header there', async t => {
  const other = await rawHttpServer(t);
  const server = await rawHttpServer(t, (_, response) => {
    response.writeHead(307, { location: other.url }).end();
    return true;
  });
  const { connection } = recordingConnection(t);
  const target = { url: server.url, headers: { authorization: 'Bearer k3y-value' } };
  const state = await connection.start(target, [web]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'protocol');
  assert.deepEqual(other.requests, []);
});

test('reports an unreachable server by host and reason only', async t => {
  const server = await rawHttpServer(t);
  await server.vanish();
  const { connection } = recordingConnection(t);
  const target = { url: `${server.url}?key=s3cret`, headers: { 'x-key': 's3cret' } };
  const { host } = new URL(server.url);
  for (const protocol of ['auto', 'legacy', '2026-07-28'] as const) {
    assert.deepEqual(await connection.start(target, [web], protocol), {
      kind: 'failed',
      failure: {
        kind: 'unreachable',
        message: sentence('{0}: {1}', host, sentence('the connection was refused')),
      },
    });
  }
});

test('tells a server that wants a key from a broken server, without secrets', async t => {
  const server = await rawHttpServer(t, ({ request }, response) =>
    sendJson(response, 401, { error: `not ${request.headers['x-key']}` }),
  );
  const { connection } = recordingConnection(t);
  const target = { url: server.url, headers: { 'x-key': 's3cret' }, secrets: ['s3cret'] };
  const state = await connection.start(target, [web], 'legacy');
  assert.deepEqual(state.kind === 'failed' && state.failure, {
    kind: 'unauthorized',
    message: 'HTTP 401 {"error":"not •••"}',
  });
});

test('reports a server as silent when its time is over', async t => {
  const server = await rawHttpServer(t, () => true);
  const { connection } = recordingConnection(t, { handshake: 300, probe: 50 });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.deepEqual(state, { kind: 'failed', failure: { kind: 'silent', seconds: 0.3 } });
  await until('no connection is open', () => server.sockets() === 0);
});

test('waits longer for a slow server than for the probe of a process', async t => {
  const server = await rawHttpServer(t, async () => {
    await new Promise(resolve => setTimeout(resolve, 100));
    return false;
  });
  const { connection } = recordingConnection(t, { probe: 20 });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.equal(state.kind, 'running');
});

test('a stop cancels a start that waits for an answer', async t => {
  const server = await rawHttpServer(t, () => true);
  const { connection } = recordingConnection(t);
  const start = connection.start({ url: server.url, headers: {} }, [web]);
  await until('the request', () => server.requests.length === 1);
  await connection.stop();
  assert.deepEqual(await start, { kind: 'stopped' });
  await until('no connection is open', () => server.sockets() === 0);
});
