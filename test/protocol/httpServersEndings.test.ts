import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { wordsInEnglish } from '../../src/domain/sentence.ts';
import { sessionEnded } from '../../src/mcp/process/http/sdkTransport.ts';
import { runningOverHttp } from '../support/httpConnection.ts';
import { until } from '../support/processes.ts';
import { event, type Message, rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { said } from '../support/texts.ts';

const web = root('web');
const hasEndedSession = { kind: 'failed', failure: { kind: 'lost', message: sessionEnded } };

test('a stop ends the session and leaves no connection', async t => {
  const { connection, server } = await runningOverHttp(t);
  await connection.stop();
  const last = server.requests.at(-1);
  assert.equal(last?.method, 'DELETE');
  assert.equal(last?.headers['mcp-session-id'], 'session-1');
  await until('no stream is open', () => server.streams.size === 0);
  await until('no connection is open', () => server.sockets() === 0);
  assert.deepEqual(connection.state, { kind: 'stopped' });
});

test('a stop leaves a server that does not answer to the end of its session', async t => {
  const { connection, server } = await runningOverHttp(
    t,
    ({ request }) => request.method === 'DELETE',
    500,
  );
  await connection.stop();
  await until('no connection is open', () => server.sockets() === 0);
});

test('a kill leaves a server at once', async t => {
  const { connection, server } = await runningOverHttp(t);
  connection.kill();
  await until('no stream is open', () => server.streams.size === 0);
  assert.ok(!server.requests.some(({ method }) => method === 'DELETE'));
});

test('a server that goes away is noticed without a call, and waiting requests fail', async t => {
  const { connection, server, states } = await runningOverHttp(
    t,
    ({ message }) => message?.method === 'tools/call',
  );
  const call = assert.rejects(callText(connection, 'slow'));
  await until('the call', () => server.got('tools/call').length === 1);
  await server.vanish();
  await call;
  await until('the loss', () => connection.state.kind === 'failed');
  const state = states.at(-1);
  assert.ok(state?.kind === 'failed' && state.failure.kind === 'lost');
  assert.match(said(wordsInEnglish(state.failure.message)), /httpFailure\.reasons\.ECONNREFUSED/);
});

test('a server without a stream that goes away is noticed with the next call', async t => {
  const server = await rawHttpServer(
    t,
    ({ request }, response) => request.method === 'GET' && sendJson(response, 405, {}),
  );
  const { connection } = recordingConnection(t);
  await connection.start({ url: server.url, headers: {} }, [web]);
  await server.vanish();
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind === 'failed' && connection.state.failure.kind, 'lost');
});

test('a broken stream is reopened, and nothing is lost', async t => {
  const { connection, server } = await runningOverHttp(t);
  server.streams.forEach(stream => void stream.destroy());
  await until('the stream is gone', () => server.streams.size === 0);
  await until('the stream is back', () => server.streams.size === 1);
  assert.equal(connection.state.kind, 'running');
});

test('a stream that cannot be reopened means that the server is lost', async t => {
  let isBroken = false;
  const { connection, server } = await runningOverHttp(
    t,
    ({ request }, response) => isBroken && request.method === 'GET' && sendJson(response, 503, {}),
  );
  isBroken = true;
  server.streams.forEach(stream => void stream.end('retry: 5\n\n'));
  await until('the loss', () => connection.state.kind === 'failed');
  const { state } = connection;
  assert.ok(state.kind === 'failed' && state.failure.kind === 'lost');
  assert.equal(
    said(wordsInEnglish(state.failure.message)),
    'sdkTransport.notReopened(sdkTransport.SessionWatch(503))',
  );
});

test('a server runs without a stream, whatever status refuses it', async t => {
  for (const status of [404, 405, 500]) {
    const server = await rawHttpServer(
      t,
      ({ request }, response) => request.method === 'GET' && sendJson(response, status, {}),
    );
    const { connection } = recordingConnection(t);
    await connection.start({ url: server.url, headers: {} }, [web]);
    await until('the stream is refused', () =>
      server.requests.some(({ method }) => method === 'GET'),
    );
    assert.equal(await callText(connection, 'any'), 'done');
    assert.equal(connection.state.kind, 'running');
  }
});

for (const status of [404, 401]) {
  test(`a session that ends with ${status} is lost, and the next start begins another`, async t => {
    let isOver = false;
    const { connection, server, target } = await runningOverHttp(t, ({ message }, response) => {
      const isRefused = isOver && message?.method === 'tools/call';
      return isRefused && sendJson(response, status, {});
    });
    isOver = true;
    await assert.rejects(callText(connection, 'any'));
    assert.deepEqual(connection.state, hasEndedSession);
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
}

const forgotten = { code: -32000, message: 'Bad Request: No valid session ID provided' };
const refusals: Readonly<Record<string, (response: ServerResponse, message: Message) => true>> = {
  'HTTP 400': response => sendJson(response, 400, { jsonrpc: '2.0', id: null, error: forgotten }),
  'HTTP 400 with a text': response => Boolean(response.writeHead(400).end('No session')) as true,
  'HTTP 500': response => sendJson(response, 500, {}),
  'an error': (response, { id }) =>
    sendJson(response, 200, { jsonrpc: '2.0', id, error: forgotten }),
  'an error without an id': response =>
    sendJson(response, 200, { jsonrpc: '2.0', id: null, error: forgotten }),
  'an event that is no message': response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(event({ error: 'Session not found' }));
    return true;
  },
};

for (const [kind, refuse] of Object.entries(refusals)) {
  test(`a session is lost when all requests get ${kind}, and not when one does`, async t => {
    let refused = ['tools/call'];
    const { connection } = await runningOverHttp(t, ({ message }, response) =>
      refused.includes(message?.method ?? '') ? refuse(response, message ?? {}) : false,
    );
    await assert.rejects(callText(connection, 'any'));
    assert.equal(connection.state.kind, 'running');
    refused = ['tools/call', 'ping'];
    await assert.rejects(callText(connection, 'any'));
    assert.deepEqual(connection.state, hasEndedSession);
  });
}

test('a session survives an error when the server refuses pings but has given a list', async t => {
  let refused = ['tools/call', 'ping'];
  const { connection } = await runningOverHttp(t, ({ message }, response) => {
    const { id, method = '' } = message ?? {};
    if (refused.includes(method)) {
      return refusals['an error']?.(response, message ?? {}) === true;
    }
    const result = { tools: [] };
    return method === 'tools/list' && sendJson(response, 200, { jsonrpc: '2.0', id, result });
  });
  await connection.list('tools');
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind, 'running');
  refused = ['tools/call', 'tools/list'];
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind, 'failed');
});
