import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { wordsInEnglish } from '../../src/domain/sentence.ts';
import { Supervisor } from '../../src/mcp/life/supervisor.ts';
import type { HttpStart } from '../../src/mcp/process/http/httpStart.ts';
import type { Traffic } from '../../src/mcp/process/wire.ts';
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
import { signInProblem } from '../support/signingIn.ts';
import { type Refuse, type SseServer, sseServer } from '../support/sseServer.ts';
import { tempFolder } from '../support/temp.ts';
import { said } from '../support/texts.ts';

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

test('sends headers with every request, and no error repeats their secrets', async t => {
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

test('a server is lost with its calls when its stream ends, and reached again', async t => {
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
  assert.ok(connection.state.kind === 'failed' && connection.state.failure.kind === 'lost');
  await until('it runs again', () => connection.state.kind === 'running');
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  assert.equal(server.streams.size, 1);
});

test('stops waiting for a server when its stream ends before it answers', async t => {
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

test('a server that is gone is lost, and the next call names its host', async t => {
  const { server, connection, target } = await reached(t, { transport: 'sse' });
  await server.vanish();
  await until('it is lost', () => connection.state.kind === 'failed');
  const state = await connection.start(target, [web]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'unreachable');
});

function isCall(
  passed: Traffic,
): passed is { readonly message: { readonly id: number } } & Traffic {
  const message = passed.kind === 'message' && passed.message;
  return message && 'method' in message && message.method === 'tools/call';
}

test('a stop cancels a start that waits for the stream or its first event', async t => {
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

test('a refusal over SSE gives its reason, as over HTTP', async t => {
  for (const [method, status, kind] of [
    ['GET', 404, 'protocol'],
    ['GET', 200, 'protocol'],
    ['POST', 401, 'unauthorized'],
    ['POST', 403, 'unauthorized'],
    ['POST', 503, 'unreachable'],
  ] as const) {
    const { state } = await reached(
      t,
      { transport: 'sse' },
      (request, response) => request.method === method && sendPage(response, status),
    );
    assert.equal(state.kind === 'failed' && state.failure.kind, kind, `${method} ${status}`);
  }
});

test('stops waiting for a stream without an endpoint, and names the refusal', async t => {
  const { connection } = recordingConnection(t, { probe: 100 });
  const server = await rawHttpServer(t, ({ message }, response) =>
    message ? sendJson(response, 400, { error: 'no' }) : false,
  );
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.ok(state.kind === 'failed' && state.failure.kind === 'protocol');
  const words = 'httpFailure.words(httpFailure.wordsOf(400, {"error":"no"}))';
  assert.equal(said(wordsInEnglish(state.failure.message)), words);
  await until('the stream is left', () => server.streams.size === 0);
});

test('does not try the older HTTP when the newest revision is chosen', async t => {
  const server = await sseServer(t);
  const { connection } = recordingConnection(t);
  const state = await connection.start({ url: server.url, headers: {} }, [web], '2026-07-28');
  assert.equal(state.kind, 'failed');
  assert.deepEqual(new Set(server.requests.map(({ line }) => line)), new Set(['POST /sse']));
});

test('signs in to a server that asks for it on its stream only', async t => {
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
  assert.equal(signInProblem(byItself), 'accessTokens.startByHand()');
  const state = await connection.start({ ...target, isInteractive: true }, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  const told = JSON.stringify([traffic, states]);
  assert.deepEqual(
    authorization.secrets.filter(secret => told.includes(secret)),
    [],
  );
});

test('a hub reaches a server of type "sse", with the roots of its client', async t => {
  const server = await sseServer(t);
  const config = { mcpServers: { old: { type: 'sse', url: server.url } } };
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const { content } = await hub.call('old', 'ask');
  assert.equal(JSON.parse(content[0]?.text ?? '[]').length, 1);
  assert.ok(!server.requests.some(({ line }) => line === 'POST /sse'));
});
