import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence, wordsInEnglish } from '../../src/domain/sentence.ts';
import { runningOverHttp } from '../support/httpConnection.ts';
import { until } from '../support/processes.ts';
import { rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');

test('a stop ends the session and leaves no connection', async t => {
  const { connection, server } = await runningOverHttp(t, [web]);
  await connection.stop();
  const last = server.requests.at(-1);
  assert.equal(last?.method, 'DELETE');
  assert.equal(last?.headers['mcp-session-id'], 'session-1');
  await until('no stream is open', () => server.streams.size === 0);
  await until('no connection is open', () => server.sockets() === 0);
  assert.deepEqual(connection.state, { kind: 'stopped' });
});

test('a server that does not answer to the end of its session is left all the same', async t => {
  const { connection, server } = await runningOverHttp(
    t,
    [web],
    ({ request }) => request.method === 'DELETE',
    500,
  );
  await connection.stop();
  await until('no connection is open', () => server.sockets() === 0);
});

test('a kill leaves a server at once', async t => {
  const { connection, server } = await runningOverHttp(t, [web]);
  connection.kill();
  await until('no stream is open', () => server.streams.size === 0);
  assert.ok(!server.requests.some(({ method }) => method === 'DELETE'));
});

test('a server that goes away is lost without a call, and what waits for it fails', async t => {
  const { connection, server, states } = await runningOverHttp(
    t,
    [web],
    ({ message }) => message?.method === 'tools/call',
  );
  const call = assert.rejects(callText(connection, 'slow'));
  await until('the call', () => server.got('tools/call').length === 1);
  await server.vanish();
  await call;
  await until('the loss', () => connection.state.kind === 'failed');
  const state = states.at(-1);
  assert.ok(state?.kind === 'failed' && state.failure.kind === 'lost');
  assert.match(
    wordsInEnglish(state.failure.message),
    /^127\.0\.0\.1:\d+: the connection was refused$/,
  );
});

test('a server that goes away is lost with the next call where it has no stream', async t => {
  const server = await rawHttpServer(t, ({ request }, response) => {
    if (request.method === 'GET') {
      response.writeHead(405).end();
    }
    return request.method === 'GET';
  });
  const { connection } = recordingConnection(t);
  await connection.start({ url: server.url, headers: {} }, [web]);
  await server.vanish();
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind === 'failed' && connection.state.failure.kind, 'lost');
});

test('a stream that breaks off is opened again, and nothing is lost', async t => {
  const { connection, server } = await runningOverHttp(t, [web]);
  server.streams.forEach(stream => void stream.destroy());
  await until('the stream is gone', () => server.streams.size === 0);
  await until('the stream is back', () => server.streams.size === 1);
  assert.equal(connection.state.kind, 'running');
});

test('a stream that can not be opened again is the loss of the server', async t => {
  let isBroken = false;
  const { connection, server } = await runningOverHttp(t, [web], ({ request }, response) => {
    const isRefused = isBroken && request.method === 'GET';
    if (isRefused) {
      response.writeHead(503).end();
    }
    return isRefused;
  });
  isBroken = true;
  server.streams.forEach(stream => void stream.end('retry: 5\n\n'));
  await until('the loss', () => connection.state.kind === 'failed');
  assert.deepEqual(connection.state, {
    kind: 'failed',
    failure: {
      kind: 'lost',
      message: sentence("Its stream of messages can't be opened again: {0}", 'HTTP 503'),
    },
  });
});

test('a server without a stream is none the worse for it, however it says so', async t => {
  for (const status of [404, 405, 500]) {
    const server = await rawHttpServer(t, ({ request }, response) => {
      const isStream = request.method === 'GET';
      if (isStream) {
        response.writeHead(status).end();
      }
      return isStream;
    });
    const { connection } = recordingConnection(t);
    await connection.start({ url: server.url, headers: {} }, [web]);
    await until('the stream is refused', () =>
      server.requests.some(({ method }) => method === 'GET'),
    );
    assert.equal(await callText(connection, 'any'), 'done');
    assert.equal(connection.state.kind, 'running');
  }
});

test('a server that does not know us any more is told so at once', async t => {
  const { connection } = await runningOverHttp(
    t,
    [web],
    ({ message }, response) =>
      message?.method === 'tools/call' && sendJson(response, 401, { error: 'expired' }),
  );
  await assert.rejects(callText(connection, 'any'));
  assert.deepEqual(connection.state, {
    kind: 'failed',
    failure: { kind: 'unauthorized', message: 'HTTP 401 {"error":"expired"}' },
  });
});

test('a session that the server has ended is lost, and the next start is a new one', async t => {
  let isOver = false;
  const { connection, server, target } = await runningOverHttp(
    t,
    [web],
    ({ message }, response) => {
      const isRefused = isOver && message?.method === 'tools/call';
      return isRefused && sendJson(response, 404, {});
    },
  );
  isOver = true;
  await assert.rejects(callText(connection, 'any'));
  assert.deepEqual(connection.state, {
    kind: 'failed',
    failure: { kind: 'lost', message: sentence('It has ended the session.') },
  });
  isOver = false;
  await connection.start(target, [web]);
  assert.equal(await callText(connection, 'any'), 'done');
  assert.equal(server.got('initialize').length, 2);
  assert.equal(
    server.requests.filter(({ message }) => message?.method === 'initialize')[1]?.headers[
      'mcp-session-id'
    ],
    undefined,
  );
});

test('a server that comes back at its address gets its roots anew', async t => {
  const server = await rawHttpServer(t);
  const { connection, answered } = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const start = () => connection.start({ url: server.url, headers: {} }, [web], 'legacy');
  await start();
  await server.vanish();
  // The first call may go to a connection of which nobody knows yet that it is cut.
  while (connection.state.kind === 'running') {
    await assert.rejects(callText(connection, 'any'));
  }
  const again = await rawHttpServer(t, undefined, server.port);
  assert.equal((await start()).kind, 'running');
  await until('the stream is open again', () => again.streams.size > 0);
  again.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  assert.deepEqual((await answered(1)).roots, [web]);
});
