import assert from 'node:assert/strict';
import dns from 'node:dns';
import { type TestContext, test } from 'node:test';
import { sentence, wordsInEnglish } from '../../src/domain/sentence.ts';
import { until } from '../support/processes.ts';
import { type Interfere, rawHttpServer, sendJson, sendPage } from '../support/rawHttpServer.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');

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
      failure: {
        kind: 'unreachable',
        message: sentence('{0}: {1}', host, sentence('the connection was refused')),
      },
    });
  }
  // A resolver without a network may take longer than a start.
  t.mock.method(dns, 'lookup', (...args: readonly unknown[]) => {
    const tell = args.at(-1) as (error: Error) => void;
    setImmediate(tell, Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
  });
  const nowhere = { url: 'http://no-such-host.invalid/mcp?key=s3cret', headers: {} };
  const state = await connection.start(nowhere, [web]);
  assert.ok(state.kind === 'failed' && state.failure.kind === 'unreachable');
  assert.equal(
    wordsInEnglish(state.failure.message),
    'no-such-host.invalid: no such host is known',
  );
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

/** Why a server is not reached that answers each request like this. */
async function failureAt(t: TestContext, answer: Interfere): Promise<string> {
  const { url } = await rawHttpServer(t, answer);
  const { connection } = recordingConnection(t);
  const state = await connection.start({ url, headers: {} }, [web]);
  assert.ok(state.kind === 'failed' && 'message' in state.failure, JSON.stringify(state));
  return `${state.failure.kind}: ${wordsInEnglish(state.failure.message)}`;
}

test('a web page is told of by what it means', async t => {
  const said = (status: number) => failureAt(t, (_, response) => sendPage(response, status));
  const instead = 'with a web page instead of MCP: check the URL';
  const nor = 'nor does it speak the older HTTP with SSE';
  assert.deepEqual(
    [
      await said(404),
      await said(405),
      await said(200),
      await said(403),
      await said(500),
      await said(502),
    ],
    [
      `protocol: HTTP 404 Not Found, ${instead}; ${nor}`,
      `protocol: HTTP 405 Method Not Allowed, ${instead}; ${nor}`,
      `protocol: HTTP 200 OK, ${instead}`,
      'unauthorized: HTTP 403 Forbidden',
      'protocol: HTTP 500 Internal Server Error',
      'unreachable: HTTP 502 Bad Gateway',
    ],
  );
});

test('a long text says no more than a page, and what is short or JSON is told', async t => {
  const said = (body: string) =>
    failureAt(t, (_, response) => {
      response.writeHead(418, { 'content-type': 'text/plain' }).end(body);
      return true;
    });
  const nor = '; nor does it speak the older HTTP with SSE';
  const long = `protocol: HTTP 418 I'm a Teapot, with a long text instead of MCP: check the URL${nor}`;
  assert.deepEqual(
    [
      await said('x'.repeat(301)),
      await said('x'.repeat(100_000)),
      await said('  <h1>Hello</h1>'),
      await said('Short and stout.'),
      await said('{"error":{"message":"no"}}'),
      await said(''),
    ],
    [
      long,
      long,
      long.replace('long text', 'web page'),
      `protocol: HTTP 418 Short and stout.${nor}`,
      `protocol: HTTP 418 {"error":{"message":"no"}}${nor}`,
      `protocol: HTTP 418 I'm a Teapot${nor}`,
    ],
  );
});

test('a server that answers nothing is silent once the time is over', async t => {
  const server = await rawHttpServer(t, () => true);
  const { connection } = recordingConnection(t, { handshake: 300, probe: 50 });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.deepEqual(state, { kind: 'failed', failure: { kind: 'silent', seconds: 0.3 } });
  await until('no connection is open', () => server.sockets() === 0);
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
  await until('no connection is open', () => server.sockets() === 0);
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
