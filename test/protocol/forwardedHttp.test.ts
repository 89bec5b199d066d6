import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { until } from '../support/processes.ts';
import {
  type Interfere,
  rawHttpServer,
  sendDiscovered,
  sendJson,
} from '../support/rawHttpServer.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';

/** A running connection to a server over HTTP that never answers the tool `hang`. */
async function hangingServer(t: TestContext, era: 'legacy' | 'modern', interfere?: Interfere) {
  const hanging: ServerResponse[] = [];
  const server = await rawHttpServer(t, (exchange, response) => {
    const { message } = exchange;
    if (message?.method === 'server/discover' && era === 'modern') {
      return sendDiscovered(response, message.id);
    }
    if ((message?.['params'] as { name?: string } | undefined)?.name === 'hang') {
      hanging.push(response);
      return true;
    }
    return interfere?.(exchange, response) ?? false;
  });
  const { connection } = recordingConnection(t);
  const state = await connection.start({ url: server.url, headers: {} }, [root('web')]);
  assert.equal(state.kind === 'running' && state.era, era);
  const callOff = new AbortController();
  const { signal } = callOff;
  const call = (name: string) =>
    connection.forward({ method: 'tools/call', params: { name }, signal });
  return { server, hanging, callOff, call };
}

test('forwards requests to a legacy server over HTTP, and its errors unchanged', async t => {
  const { call } = await hangingServer(t, 'legacy', ({ message }, response) => {
    const error = { code: -32055, message: 'no', data: { why: 'so' } };
    return (
      (message?.['params'] as { name?: string } | undefined)?.name === 'fail' &&
      sendJson(response, 200, { jsonrpc: '2.0', id: message?.id, error })
    );
  });
  assert.deepEqual(await call('anything'), {
    content: [{ type: 'text', text: 'done' }],
  });
  await assert.rejects(call('fail'), { code: -32055, message: 'no', data: { why: 'so' } });
});

test('fails a request when its stream ends without the answer', async t => {
  const { call, hanging } = await hangingServer(t, 'legacy');
  const hung = assert.rejects(call('hang'), { code: -32000 });
  await until('the call', () => hanging.length === 1);
  hanging[0]?.writeHead(200, { 'content-type': 'text/event-stream' }).end();
  await hung;
});

test('tells a legacy server over HTTP that a request is cancelled', async t => {
  const { call, callOff, hanging, server } = await hangingServer(t, 'legacy');
  const hung = assert.rejects(call('hang'), /changed my mind/);
  await until('the call', () => hanging.length === 1);
  callOff.abort('changed my mind');
  await hung;
  await until('the notice', () => server.got('notifications/cancelled').length === 1);
});

test('a modern server over HTTP sees a cancelled request end, and gets no notice', async t => {
  const { call, callOff, hanging, server } = await hangingServer(t, 'modern');
  const hung = assert.rejects(call('hang'), /changed my mind/);
  await until('the call', () => hanging.length === 1);
  callOff.abort('changed my mind');
  await hung;
  assert.ok(hanging[0]);
  if (!hanging[0].closed) {
    await once(hanging[0], 'close');
  }
  assert.deepEqual(server.got('notifications/cancelled'), []);
});
