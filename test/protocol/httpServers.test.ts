import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { until } from '../support/processes.ts';
import { type Interfere, rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';

const [web, api] = [root('web'), root('api')];

/** A running connection to a server of revision 2025-11-25, which listens on its stream. */
async function running(t: TestContext, roots: readonly Root[] | undefined, interfere?: Interfere) {
  const server = await rawHttpServer(t, interfere);
  const recording = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const target = { url: server.url, headers: { 'x-key': 'k3y-value' }, secrets: ['k3y-value'] };
  const state = await recording.connection.start(target, roots);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  await until('the stream is open', () => server.streams.size === 1);
  return { ...recording, server, target };
}

test('a server over HTTP is served its roots on its stream, in the moment it asks', async t => {
  const { connection, server, answers, traffic, states } = await running(t, [web]);
  assert.deepEqual(states.at(-1), {
    kind: 'running',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    pid: undefined,
  });
  server.push({ jsonrpc: '2.0', id: 'ask-1', method: 'roots/list' });
  const answer = () => server.requests.find(({ message }) => message?.id === 'ask-1')?.message;
  await until('the answer', () => answer() !== undefined);
  assert.deepEqual(answer(), { jsonrpc: '2.0', id: 'ask-1', result: { roots: [web] } });
  assert.deepEqual(answers, [
    { era: 'legacy', trigger: { kind: 'roots/list' }, count: 1, roots: [web] },
  ]);
  connection.setRoots([api]);
  const notice = 'notifications/roots/list_changed';
  await until('the notice', () => server.got(notice).length === 1);
  const passed = traffic.map(one =>
    one.kind === 'message'
      ? `${one.direction} ${'method' in one.message ? one.message.method : 'response'}`
      : one.kind,
  );
  assert.deepEqual(passed, [
    'to-server server/discover',
    'from-server response',
    'to-server initialize',
    'from-server response',
    'to-server notifications/initialized',
    'from-server roots/list',
    'to-server response',
    `to-server ${notice}`,
  ]);
});

test('what the definition says is sent as headers with every request', async t => {
  const { connection, server } = await running(t, [web]);
  await connection.stop();
  const keys = server.requests.map(({ method, headers }) => `${method} ${headers['x-key']}`);
  assert.deepEqual([...new Set(keys)].sort(), [
    'DELETE k3y-value',
    'GET k3y-value',
    'POST k3y-value',
  ]);
});

test('a stop ends the session and leaves no connection', async t => {
  const { connection, server } = await running(t, [web]);
  await connection.stop();
  const last = server.requests.at(-1);
  assert.equal(last?.method, 'DELETE');
  assert.equal(last?.headers['mcp-session-id'], 'session-1');
  await until('no stream is open', () => server.streams.size === 0);
  await until('no connection is open', () => server.sockets() === 0, 8000);
  assert.deepEqual(connection.state, { kind: 'stopped' });
});

test('a server that does not answer to the end of its session is left all the same', async t => {
  const { connection, server } = await running(
    t,
    [web],
    ({ request }) => request.method === 'DELETE',
  );
  const start = performance.now();
  await connection.stop();
  assert.ok(performance.now() - start < 2000);
  await until('no connection is open', () => server.sockets() === 0, 8000);
});

test('a kill leaves a server at once', async t => {
  const { connection, server } = await running(t, [web]);
  connection.kill();
  await until('no stream is open', () => server.streams.size === 0);
  assert.ok(!server.requests.some(({ method }) => method === 'DELETE'));
});

test('a server that goes away is lost without a call, and what waits for it fails', async t => {
  const { connection, server, states } = await running(
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
  assert.match(state.failure.message, /^127\.0\.0\.1:\d+: the connection was refused$/);
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
  const { connection, server } = await running(t, [web]);
  server.streams.forEach(stream => void stream.destroy());
  await until('the stream is gone', () => server.streams.size === 0);
  await until('the stream is back', () => server.streams.size === 1);
  assert.equal(connection.state.kind, 'running');
});

test('a stream that can not be opened again is the loss of the server', async t => {
  let isBroken = false;
  const { connection, server } = await running(t, [web], ({ request }, response) => {
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
      message: "Its stream of messages can't be opened again: HTTP 503",
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

test('a call that is refused ends the call and nothing else', async t => {
  const { connection } = await running(
    t,
    [web],
    ({ message }, response) =>
      message?.method === 'tools/call' && sendJson(response, 403, { error: 'not yours' }),
  );
  await assert.rejects(callText(connection, 'any'), /not yours/);
  assert.equal(connection.state.kind, 'running');
});

test('a server that does not know us any more is told so at once', async t => {
  const { connection } = await running(
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
  const { connection, server, target } = await running(t, [web], ({ message }, response) => {
    const isRefused = isOver && message?.method === 'tools/call';
    return isRefused && sendJson(response, 404, {});
  });
  isOver = true;
  await assert.rejects(callText(connection, 'any'));
  assert.deepEqual(connection.state, {
    kind: 'failed',
    failure: { kind: 'lost', message: 'It has ended the session.' },
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

test('an answer whose stream ends without it fails, instead of being waited for', async t => {
  const { connection } = await running(t, [web], ({ message }, response) => {
    const isCall = message?.method === 'tools/call';
    if (isCall) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    }
    return isCall;
  });
  await assert.rejects(callText(connection, 'any'), /ended without the answer/);
  assert.equal(connection.state.kind, 'running');
});

test('what is no message is told of as rubbish, and what comes after it arrives', async t => {
  const { server, traffic, answered } = await running(t, [web]);
  server.push('no JSON');
  server.push({ neither: 'a message' });
  server.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  await answered(1);
  assert.equal(traffic.filter(({ kind }) => kind === 'rubbish').length, 2);
});

test('an event over the limit is left out, and what comes after it arrives', async t => {
  const { server, traffic, answered, connection } = await running(t, [web]);
  const [stream] = server.streams;
  stream?.write('data: ');
  for (let part = 0; part < 9; part++) {
    stream?.write('x'.repeat(1024 * 1024));
  }
  stream?.write('\n\n');
  server.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  await answered(1);
  assert.deepEqual(
    traffic.filter(({ kind }) => kind === 'rubbish'),
    [{ kind: 'rubbish', length: 8 * 1024 * 1024 }],
  );
  assert.equal(connection.state.kind, 'running');
});

test('an answer over the limit fails the call alone, and is not read to its end', async t => {
  let written = 0;
  const { connection } = await running(t, [web], ({ message }, response) => {
    if (message?.method !== 'tools/call') {
      return false;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && written < 200) {
        written += 1;
        if (!response.write(' '.repeat(1024 * 1024))) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
    return true;
  });
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind, 'running');
  assert.ok(written < 100, `${written} MB`);
});

test('a redirect to another origin is not followed, and no header goes there', async t => {
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

test('a server that nobody reaches is told by its host and the reason, and no more', async t => {
  const server = await rawHttpServer(t);
  await server.vanish();
  const { connection } = recordingConnection(t);
  const target = { url: `${server.url}?key=s3cret`, headers: { 'x-key': 's3cret' } };
  const { host } = new URL(server.url);
  for (const protocol of ['auto', 'legacy', '2026-07-28'] as const) {
    assert.deepEqual(await connection.start(target, [web], protocol), {
      kind: 'failed',
      failure: { kind: 'unreachable', message: `${host}: the connection was refused` },
    });
  }
  const nowhere = { url: 'http://no-such-host.invalid/mcp?key=s3cret', headers: {} };
  const state = await connection.start(nowhere, [web]);
  assert.ok(state.kind === 'failed' && state.failure.kind === 'unreachable');
  assert.match(state.failure.message, /^no-such-host\.invalid: /);
});

test('a server that wants a key is told from one that is broken, without secrets', async t => {
  const status = { code: 401 };
  const server = await rawHttpServer(t, ({ request }, response) =>
    sendJson(response, status.code, { error: `not ${request.headers['x-key']}` }),
  );
  const { connection } = recordingConnection(t);
  const target = { url: server.url, headers: { 'x-key': 's3cret' }, secrets: ['s3cret'] };
  const failure = async (code: number) => {
    status.code = code;
    const state = await connection.start(target, [web], 'legacy');
    return state.kind === 'failed' && state.failure;
  };
  assert.deepEqual(await failure(401), {
    kind: 'unauthorized',
    message: 'HTTP 401 {"error":"not •••"}',
  });
  assert.deepEqual(await failure(403), {
    kind: 'unauthorized',
    message: 'HTTP 403 {"error":"not •••"}',
  });
  assert.deepEqual(await failure(500), {
    kind: 'protocol',
    message: 'HTTP 500 {"error":"not •••"}',
  });
});

test('a server that answers nothing is silent once the time is over', async t => {
  const server = await rawHttpServer(t, () => true);
  const { connection } = recordingConnection(t, { handshake: 300, probe: 50 });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.deepEqual(state, { kind: 'failed', failure: { kind: 'silent', seconds: 0.3 } });
  await until('no connection is open', () => server.sockets() === 0, 8000);
});

test('a slow server is waited for longer than a probe of a process is', async t => {
  const server = await rawHttpServer(t, async () => {
    await new Promise(resolve => setTimeout(resolve, 100));
    return false;
  });
  const { connection } = recordingConnection(t, { probe: 20 });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.equal(state.kind, 'running');
});

test('a stop calls off a start that waits for an answer', async t => {
  const server = await rawHttpServer(t, () => true);
  const { connection } = recordingConnection(t);
  const start = connection.start({ url: server.url, headers: {} }, [web]);
  await until('the request', () => server.requests.length === 1);
  await connection.stop();
  assert.deepEqual(await start, { kind: 'stopped' });
  await until('no connection is open', () => server.sockets() === 0, 8000);
});

test('addresses and headers that can not be are refused without saying what is in them', async t => {
  const { connection } = recordingConnection(t);
  const failure = async (url: string, headers = {}) => {
    const state = await connection.start({ url, headers }, [web]);
    return state.kind === 'failed' && 'message' in state.failure && state.failure.message;
  };
  assert.deepEqual(
    [
      await failure('no address'),
      await failure('file:///proj/web'),
      await failure('https://user:s3cret@example.com/'),
      await failure('https://example.com/', { 'x-key': 's3cret\n' + 'x: y' }),
    ],
    [
      'Invalid URL',
      'The address begins with neither https nor http.',
      'The address holds a name or a password. Use a header for those.',
      'The header "x-key" has a name or a value that no header can have.',
    ],
  );
});

test('a server that is refused altogether is not told that roots exist', async t => {
  const { connection, server, answers } = await running(t, undefined);
  server.push({ jsonrpc: '2.0', id: 'ask-1', method: 'roots/list' });
  const answer = () => server.requests.find(({ message }) => message?.id === 'ask-1')?.message;
  await until('the answer', () => answer() !== undefined);
  assert.deepEqual((answer() as { error: unknown }).error, {
    code: -32601,
    message: 'Method not found',
  });
  connection.setRoots([web]);
  assert.deepEqual(answers, []);
  assert.doesNotMatch(JSON.stringify(server.requests), /roots"|listChanged/);
});

test('sampling and elicitation are not offered, and are refused as unknown', async t => {
  const { server } = await running(t, [web]);
  const methods = ['sampling/createMessage', 'elicitation/create'];
  for (const method of methods) {
    server.push({ jsonrpc: '2.0', id: method, method, params: {} });
  }
  const answer = (id: string) =>
    server.requests.find(({ message }) => message?.id === id)?.message?.['error'];
  await until('the answers', () => methods.every(method => answer(method) !== undefined));
  assert.deepEqual(methods.map(answer), [
    { code: -32601, message: 'Method not found' },
    { code: -32601, message: 'Method not found' },
  ]);
  const [initialize] = server.got('initialize');
  const { capabilities } = (initialize?.['params'] ?? {}) as { capabilities?: object };
  assert.deepEqual(capabilities, { roots: { listChanged: true } });
});

test('a server that asks without end is answered at a pace, one connection at a time', async t => {
  const { server, answers } = await running(t, [web]);
  const asked = 300;
  for (let id = 0; id < asked; id++) {
    server.push({ jsonrpc: '2.0', id: `flood-${id}`, method: 'roots/list' });
  }
  const answered = () =>
    server.requests.filter(({ message }) => String(message?.id).startsWith('flood-')).length;
  await until('the answers', () => answered() === asked);
  assert.ok(answers.length <= 42, `${answers.length} exposures`);
  assert.ok(server.sockets() < 10, `${server.sockets()} connections`);
});
