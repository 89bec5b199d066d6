import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError } from '@modelcontextprotocol/client';
import { wordsInEnglish } from '../../src/domain/sentence.ts';
import { until } from '../support/processes.ts';
import { type Interfere, rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { signingIn } from '../support/signingIn.ts';

const web = root('web');
const key = 's3cret key of <some> length';

/** The token that a request was sent with. */
function tokenOf({ request }: Parameters<Interfere>[0]): string {
  return request.headers.authorization?.replace('Bearer ', '') ?? '';
}

test('redacts a token that a refusal repeats', async t => {
  const { connection, target } = await signingIn(t, {}, (exchange, response) => {
    response.writeHead(403).end(`no scope for ${tokenOf(exchange)}`);
    return true;
  });
  assert.deepEqual(await connection.start(target, [web]), {
    kind: 'failed',
    failure: { kind: 'unauthorized', message: 'HTTP 403 no scope for •••' },
  });
});

test('redacts tokens in log messages and errors, also renewed ones', async t => {
  const { connection, target, log, server, authorization } = await signingIn(
    t,
    {},
    (exchange, response) => {
      const { id, method } = exchange.message ?? {};
      if (method !== 'tools/call' && method !== 'tools/list') {
        return false;
      }
      const error = { code: -32_001, message: `no ${method} with ${tokenOf(exchange)}` };
      return sendJson(response, 200, { jsonrpc: '2.0', id, error });
    },
  );
  await connection.start(target, [web]);
  await until('a stream', () => server.streams.size === 1);
  const [first = ''] = authorization.tokens;
  authorization.tokens.clear();
  await assert.rejects(
    callText(connection, 'any'),
    error =>
      error instanceof ProtocolError &&
      error.code === -32_001 &&
      error.message === 'no tools/call with •••',
  );
  await assert.rejects(connection.listTools(), { message: 'no tools/list with •••' });
  const [second = ''] = authorization.tokens;
  assert.ok(first && second && first !== second);
  const data = { was: first, is: second };
  server.push({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
  await until('the message', () => log.length === 1);
  assert.equal(log[0]?.text, '{"was":"•••","is":"•••"}');
  assert.equal(connection.redacted(`${first} ${second}`), '••• •••');
});

test('redacts codes and keys that an authorization server repeats', async t => {
  const { connection, target } = await signingIn(t, { repeatsRequests: true });
  const state = await connection.start(target, [web]);
  assert.match(
    JSON.stringify(state),
    /invalid_request: what is grant_type=authorization_code&code=•••&code_verifier=•••&redirect_uri=/,
  );
});

test('redacts a key of the settings in errors', async t => {
  const server = await rawHttpServer(t, ({ message }, response) => {
    const error = { code: -1, message: `bad key ${key}` };
    return message?.method === 'tools/call'
      ? sendJson(response, 200, { jsonrpc: '2.0', id: message.id, error })
      : false;
  });
  const { connection } = recordingConnection(t);
  await connection.start({ url: server.url, headers: {}, secrets: [key] }, [web]);
  await assert.rejects(callText(connection, 'any'), { message: 'bad key •••' });
});

test('redacts a key where a refusal is cut', async t => {
  // A longer text of a server is logged only by its length.
  for (const length of [300, 297, 294, 291]) {
    const text = 'x'.repeat(length - key.length);
    const server = await rawHttpServer(t, (_, response) => {
      response.writeHead(400).end(text + key);
      return true;
    });
    const { connection } = recordingConnection(t);
    const start = { url: server.url, headers: {}, secrets: [key] };
    const state = await connection.start(start, [web]);
    const words =
      state.kind === 'failed' &&
      'message' in state.failure &&
      wordsInEnglish(state.failure.message);
    assert.equal(String(words).split(', and does')[0], `HTTP 400 ${text}•••`.slice(0, 300));
  }
});
