import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sentence, wordsInEnglish } from '../../src/domain/sentence.ts';
import type { HttpStart } from '../../src/mcp/http/httpStart.ts';
import { Supervisor } from '../../src/mcp/supervisor.ts';
import type { Traffic } from '../../src/mcp/wire.ts';
import { authorizationServer } from '../support/authorizationServer.ts';
import { startHub } from '../support/hub.ts';
import { atEnd, until } from '../support/processes.ts';
import { rawHttpServer, sendJson, sendPage } from '../support/rawHttpServer.ts';
import {
  callText,
  recordingConnection,
  root,
  toolsChange,
} from '../support/recordingConnection.ts';
import { type Refuse, type SseServer, sseServer } from '../support/sseServer.ts';
import { tempFolder } from '../support/temp.ts';

const [web, api] = [root('web'), root('api')];

/** A connection to a server that speaks the older HTTP with SSE alone. */
async function reached(t: TestContext, more: Partial<HttpStart> = {}, refuse?: Refuse) {
  const server = await sseServer(t, refuse);
  const recording = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const target = { url: server.url, headers: {}, ...more };
  const state = await recording.connection.start(target, [web]);
  return { ...recording, server, target, state };
}

const ways = [
  ['it is said to speak so', { transport: 'sse' }, ['GET /sse', 'POST /messages']],
  ['it refuses Streamable HTTP', {}, ['POST /sse', 'POST /sse', 'GET /sse', 'POST /messages']],
] as const;

for (const [why, more, first] of ways) {
  test(`a server is reached by the older HTTP with SSE, as ${why}`, async t => {
    const { server, connection, events, state, answered, answers, notices } = await reached(
      t,
      more,
    );
    assert.deepEqual(state, {
      kind: 'running',
      era: 'legacy',
      protocolVersion: '2025-11-25',
      pid: undefined,
    });
    assert.deepEqual(
      server.requests.slice(0, first.length).map(({ line }) => line),
      first,
    );
    await answered(1);
    connection.setRoots([web, api]);
    await answered(2);
    await until('it has heard', () => server.told.length === 2);
    assert.deepEqual(server.told, [[web], [web, api]]);
    assert.deepEqual([answers.length, notices()], [2, 1]);
    assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web, api]);
    const changed = toolsChange(events);
    server.changeTools();
    await changed;
    await connection.stop();
    await until('it is left', () => server.streams.size === 0);
    assert.deepEqual(connection.state, { kind: 'stopped' });
  });
}

test('headers go with every request, and no error repeats what is secret in them', async t => {
  const secret = 'Bearer s3cret-value';
  const status = { code: 0 };
  const more = { headers: { authorization: secret }, secrets: [secret] };
  const { server, connection, traffic, states } = await reached(t, more, (request, response) => {
    const isRefused = status.code > 0 && request.url?.startsWith('/messages') === true;
    if (isRefused) {
      response.writeHead(status.code).end(`not with ${request.headers.authorization}`);
    }
    return isRefused;
  });
  assert.deepEqual(
    new Set(server.requests.map(({ headers }) => headers.authorization)),
    new Set([secret]),
  );
  status.code = 500;
  await assert.rejects(callText(connection, 'ask'), ({ message }: Error) => {
    return /HTTP 500/.test(message) && !message.includes('s3cret');
  });
  assert.equal(connection.state.kind, 'running');
  assert.doesNotMatch(JSON.stringify([traffic, states]), /s3cret/);
});

test('a server whose stream ends is lost with its calls, and reached again', async t => {
  const { server, connection, target, traffic } = await reached(t);
  const supervisor = new Supervisor(() => void connection.start(target, [web]));
  supervisor.watch(connection);
  atEnd(t, () => supervisor.dispose());
  const hanging = assert.rejects(callText(connection, 'hang'));
  await until('the call', () => traffic.some(isCall));
  for (const stream of server.streams) {
    stream.end();
  }
  await hanging;
  assert.deepEqual(connection.state, {
    kind: 'failed',
    failure: { kind: 'lost', message: sentence('Its stream of messages has ended.') },
  });
  await until('it runs again', () => connection.state.kind === 'running');
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  assert.equal(server.streams.size, 1);
});

test('a server whose stream ends before it has answered is not waited for', async t => {
  const server: SseServer = await sseServer(t, (request, response) => {
    const isMessage = request.url?.startsWith('/messages') === true;
    if (isMessage) {
      response.writeHead(202).end();
      server.streams.forEach(stream => void stream.end());
    }
    return isMessage;
  });
  const { connection } = recordingConnection(t);
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'lost');
});

test('a server that has gone is lost, and told of by its host when it is called again', async t => {
  const { server, connection, target } = await reached(t, { transport: 'sse' });
  await server.vanish();
  await until('it is lost', () => connection.state.kind === 'failed');
  const state = await connection.start(target, [web]);
  assert.deepEqual(state, {
    kind: 'failed',
    failure: {
      kind: 'unreachable',
      message: sentence(
        '{0}: {1}',
        `127.0.0.1:${server.port}`,
        sentence('the connection was refused'),
      ),
    },
  });
});

const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;

test('who waits for an answer that is not read is told why, on the stream of all', async t => {
  const { server, connection, traffic } = await reached(t);
  const failing = assert.rejects(callText(connection, 'hang'), /nested too deep/);
  const call = () => traffic.find(isCall);
  await until('the call', () => call() !== undefined);
  server.push(`{"result":{"a":${deep}},"jsonrpc":"2.0","id":${call()?.message.id}}`);
  await failing;
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
});

function isCall(
  passed: Traffic,
): passed is { readonly message: { readonly id: number } } & Traffic {
  const message = passed.kind === 'message' && passed.message;
  return message && 'method' in message && message.method === 'tools/call';
}

test('a stop calls off a start that waits for the stream, or for its first event', async t => {
  for (const answer of ['nothing', 'a stream'] as const) {
    const server = await rawHttpServer(t, (_, response) => {
      if (answer === 'a stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      }
      return true;
    });
    const { connection } = recordingConnection(t);
    const target = { url: server.url, headers: {}, transport: 'sse' } as const;
    const start = connection.start(target, [web]);
    await until('the request', () => server.requests.length === 1);
    await connection.stop();
    assert.deepEqual(await start, { kind: 'stopped' });
    await until('no connection is open', () => server.sockets() === 0);
  }
});

test('where the older HTTP with SSE is not either, one sentence says why', async t => {
  const said = async (status: number, more?: Partial<HttpStart>) => {
    const { state } = await reached(t, more, (_, response) => sendPage(response, status));
    return (
      state.kind === 'failed' && 'message' in state.failure && wordsInEnglish(state.failure.message)
    );
  };
  const instead = 'with a web page instead of MCP: check the URL';
  assert.deepEqual(
    [await said(404), await said(404, { transport: 'sse' }), await said(200, { transport: 'sse' })],
    [
      `HTTP 404 Not Found, ${instead}; nor does it speak the older HTTP with SSE`,
      `HTTP 404 Not Found, ${instead}`,
      `HTTP 200 OK, ${instead}`,
    ],
  );
});

test('a message that is refused on the older way says why, as by the newer', async t => {
  for (const [status, kind] of [
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [503, 'unreachable'],
  ] as const) {
    const server = await sseServer(t, (request, response) => {
      const isMessage = request.method === 'POST';
      if (isMessage) {
        response.writeHead(status).end();
      }
      return isMessage;
    });
    const { connection } = recordingConnection(t);
    const start = { url: server.url, headers: {}, transport: 'sse' } as const;
    const state = await connection.start(start, [web]);
    assert.equal(state.kind === 'failed' && state.failure.kind, kind);
  }
});

test('a stream that does not say where messages go is not waited for, and the refusal is told', async t => {
  const { connection } = recordingConnection(t, { probe: 100 });
  const server = await rawHttpServer(t, ({ message }, response) =>
    message ? sendJson(response, 400, { error: 'no' }) : false,
  );
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.deepEqual(state.kind === 'failed' && state.failure, {
    kind: 'protocol',
    message: sentence('{0}; nor does it speak the older HTTP with SSE', 'HTTP 400 {"error":"no"}'),
  });
  await until('the stream is left', () => server.streams.size === 0);
});

test('who chose the newest revision is not reached by the older HTTP', async t => {
  const server = await sseServer(t);
  const { connection } = recordingConnection(t);
  const state = await connection.start({ url: server.url, headers: {} }, [web], '2026-07-28');
  assert.equal(state.kind, 'failed');
  assert.deepEqual(new Set(server.requests.map(({ line }) => line)), new Set(['POST /sse']));
});

test('a person signs in to a server that asks for it on its stream alone', async t => {
  const authorization = await authorizationServer(t);
  const server = await sseServer(t, (request, response) => {
    const { pathname, origin } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const resource = { resource: `${origin}/sse`, authorization_servers: [authorization.url] };
      return sendJson(response, 200, resource);
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (authorization.tokens.has(token) || `${request.method} ${pathname}` === 'POST /sse') {
      return false;
    }
    response.setHeader('www-authenticate', 'Bearer');
    return sendJson(response, 401, { error: 'invalid_token' });
  });
  const { connection, traffic, states } = recordingConnection(t);
  const kept = new Map<string, string>();
  const store = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value = '') => void kept.set(key, value),
  };
  const openBrowser = async (url: string) => (await fetch(url)).ok;
  const target = { url: server.url, headers: {}, authorization: { openBrowser, store } };
  const byItself = await connection.start(target, [web]);
  assert.deepEqual(byItself.kind === 'failed' && byItself.failure, {
    kind: 'unauthorized',
    message: 'It asks for a sign-in. Start it by hand to sign in.',
  });
  const state = await connection.start({ ...target, isInteractive: true }, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  const told = JSON.stringify([traffic, states]);
  assert.deepEqual(
    authorization.secrets.filter(secret => told.includes(secret)),
    [],
  );
});

test('a hub reaches such servers, said to be so or not, with the roots of its client', async t => {
  const [said, found] = [await sseServer(t), await sseServer(t)];
  const config = {
    mcpServers: {
      said: { type: 'sse', url: said.url },
      found: { type: 'http', url: found.url },
    },
  };
  const folder = tempFolder(t);
  const hub = await startHub(t, { era: 'legacy', config, roots: [folder] });
  for (const [name, server] of [
    ['said', said],
    ['found', found],
  ] as const) {
    const { content } = await hub.call(name, 'ask');
    assert.equal(JSON.parse(content[0]?.text ?? '[]').length, 1, name);
    assert.ok(server.told.length > 0);
  }
  assert.ok(!said.requests.some(({ line }) => line === 'POST /sse'));
});
