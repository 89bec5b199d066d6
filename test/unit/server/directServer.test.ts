import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { DirectServer } from '../../../src/server/directServer.ts';

const clientInfo = { name: 'test', version: '1' };
const capabilities = { roots: {} };
const handshake = { protocolVersion: '2025-06-18', capabilities, clientInfo };

/** A server with one tool, after the handshake, and what it has sent since. */
async function connected() {
  const server = new DirectServer({ name: 'direct', version: '1' });
  const inputSchema = z.object({ text: z.string() });
  server.registerTool('echo', { inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  here.onmessage = message => sent.push(message);
  await server.connect(there);
  const send = async (message: object) => {
    await here.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
    await immediate();
  };
  await send({ id: 0, method: 'initialize', params: handshake });
  await send({ method: 'notifications/initialized' });
  sent.length = 0;
  return { server, send, sent };
}

const call = (id: unknown, params: object) => ({ id, method: 'tools/call', params });

test('requests are answered', async () => {
  const { send, sent } = await connected();
  await send(call('a', { name: 'echo', arguments: { text: 'Hello.' } }));
  const result = { content: [{ type: 'text', text: 'Hello.' }] };
  assert.deepEqual(sent, [{ jsonrpc: '2.0', id: 'a', result }]);
});

test('notifications and responses arrive', async () => {
  const { server, send, sent } = await connected();
  let changes = 0;
  server.server.setNotificationHandler('notifications/roots/list_changed', () => {
    changes += 1;
  });
  await send({ method: 'notifications/roots/list_changed' });
  assert.equal(changes, 1);
  const roots = [{ uri: 'file:///proj', name: 'proj' }];
  const asked = server.server.request({ method: 'roots/list' });
  await immediate();
  const [request] = sent;
  assert.ok(request && 'id' in request);
  await send({ id: request.id, result: { roots } });
  assert.deepEqual((await asked).roots, roots);
});

test('errors are sentences, and those of a request are called so', async () => {
  const { send, sent } = await connected();
  await send(call(1, { name: 'echo', arguments: [] }));
  await send(call(2, { name: 5 }));
  await send({ id: 3, method: 'tools/list', params: { cursor: 5 } });
  await send({ id: 4, method: 'nothing/known' });
  assert.deepEqual(
    sent.map(message => 'error' in message && message.error),
    [
      {
        code: -32602,
        message:
          'Invalid request: params.arguments: Invalid input: expected record, received array.',
      },
      {
        code: -32602,
        message: 'Invalid request: params.name: Invalid input: expected string, received number.',
      },
      {
        code: -32602,
        message: 'Invalid request: params.cursor: Invalid input: expected string, received number.',
      },
      { code: -32601, message: 'Method not found' },
    ],
  );
});

test('what a client made up is shown, but not all of it, and not as it likes', async () => {
  const { send, sent } = await connected();
  await send(call(1, { name: `no\n\u202e${'x'.repeat(100_000)}`, arguments: {} }));
  const [answer] = sent;
  assert.ok(answer && 'error' in answer);
  assert.ok(answer.error.message.startsWith('Tool no\\u000a\\u202exxx'), answer.error.message);
  assert.equal(answer.error.message.length, 1001);
});

test("somebody else's error goes out as it is, and only to the request that it answers", async () => {
  const { server, send, sent } = await connected();
  const passed = { code: -32002, message: '[\n]\u202e', data: { uri: 'x' } };
  server.passError(1, passed);
  await send(call(1, { name: 'echo', arguments: [] }));
  await send(call(1, { name: 5 }));
  server.passError(2, passed);
  await send(call(2, { name: 'echo', arguments: { text: 'Hello.' } }));
  await send(call(2, { name: 5 }));
  const message = 'Invalid request: params.name: Invalid input: expected string, received number.';
  const refused = { code: -32602, message };
  assert.deepEqual(
    sent.map(answer => 'error' in answer && answer.error),
    [passed, refused, false, refused],
  );
});
