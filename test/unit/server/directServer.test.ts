import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import {
  InMemoryTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { DirectServer } from '../../../src/server/directServer.ts';

const info = { name: 'direct', version: '1' };
const clientInfo = { name: 'test', version: '1' };
const capabilities = { roots: {} };
const handshake = { protocolVersion: '2025-06-18', capabilities, clientInfo };

/** A server with one tool, after the handshake, and what it has sent since. */
async function connected() {
  const server = new DirectServer(info, { capabilities: { tools: {}, prompts: {} } }, 'legacy');
  const others = server.calls.answer;
  server.calls.answer = async (call, context) =>
    call.name === 'echo'
      ? { content: [{ type: 'text', text: call.args['text'] }] }
      : others(call, context);
  server.registerPrompt('greet', { argsSchema: z.object({ to: z.string() }) }, ({ to }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: to } }],
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
  await send({ id: 3, method: 'prompts/list', params: { cursor: 5 } });
  await send({ id: 4, method: 'nothing/known' });
  assert.deepEqual(
    sent.map(message => 'error' in message && message.error),
    [
      {
        code: -32602,
        message: 'Invalid request: params.arguments has to be an object.',
      },
      {
        code: -32602,
        message: 'Invalid request: params.name has to be a string.',
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
  const madeUp = `no\n\u202e${'x'.repeat(100_000)}`;
  await send(call(1, { name: madeUp, arguments: {} }));
  await send({ id: 2, method: 'prompts/get', params: { name: madeUp, arguments: {} } });
  const [ofCall, ofPrompt] = sent.map(answer => ('error' in answer ? answer.error.message : ''));
  assert.match(ofCall ?? '', /^Tool no\\u000a\\u202ex{196} not found$/);
  assert.match(ofPrompt ?? '', /^Prompt no\\u000a\\u202exxx/);
  assert.equal(ofPrompt?.length, 1001);
});

test("somebody else's error goes out as it is, and only to the request that it answers", async () => {
  const { server, send, sent } = await connected();
  const passed = { code: -32002, message: '[\n]\u202e', data: { uri: 'x' } };
  const get = (id: number, params: object) => ({ id, method: 'prompts/get', params });
  server.passError(1, passed);
  await send(get(1, { name: 'greet', arguments: [] }));
  await send(get(1, { name: 5 }));
  server.passError(2, passed);
  await send(get(2, { name: 'greet', arguments: { to: 'you' } }));
  await send(get(2, { name: 5 }));
  const message = 'Invalid request: params.name: Invalid input: expected string, received number.';
  const refused = { code: -32602, message };
  assert.deepEqual(
    sent.map(answer => 'error' in answer && answer.error),
    [passed, refused, false, refused],
  );
});

/** A connection whose messages a server has straight once it was called. */
class Wire implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  straight: ((message: JSONRPCMessage) => boolean) | undefined;
  readonly sent: JSONRPCMessage[] = [];
  readonly entered: JSONRPCMessage[] = [];

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.sent.push(message);
  }

  take(...messages: object[]): Promise<void> {
    for (const content of messages) {
      const message = { jsonrpc: '2.0', ...content } as JSONRPCMessage;
      if (!this.straight?.(message)) {
        this.entered.push(message);
        this.onmessage?.(message);
      }
    }
    return immediate();
  }
}

test('the entry is left out after the first call, but for what it answers itself', async () => {
  const wire = new Wire();
  const started: AbortSignal[] = [];
  serveStdio(
    () => {
      const server = new DirectServer(info, { capabilities: { tools: {} } }, 'legacy');
      server.calls.answer = ({ name }, { mcpReq }) => {
        started.push(mcpReq.signal);
        return name === 'wait' ? new Promise(() => {}) : Promise.resolve({ content: [] });
      };
      server.leaveOutEntry(wire);
      return server;
    },
    { transport: wire },
  );
  await wire.take({ id: 0, method: 'initialize', params: handshake });
  const first = [{ method: 'notifications/initialized' }, call(1, { name: 'a' })];
  // What comes in one piece with the first call still goes where that went.
  await wire.take(...first, { id: 2, method: 'ping' }, call(3, { name: 'a' }));
  assert.equal(wire.entered.length, 5);
  await immediate();
  await wire.take(call(4, { name: 'a' }), { id: 5, method: 'ping' }, call(6, { name: 'wait' }));
  assert.equal(wire.entered.length, 5);
  const cancelled = (requestId: number) => ({
    method: 'notifications/cancelled',
    params: { requestId, reason: 'no need' },
  });
  await wire.take(cancelled(6), cancelled(7), { id: 8, method: 'initialize', params: handshake });
  assert.deepEqual(
    wire.entered.slice(5).map(message => 'method' in message && message.method),
    ['notifications/cancelled', 'initialize'],
  );
  const answered = wire.sent.map(message => 'id' in message && message.id);
  assert.deepEqual(answered.sort(), [0, 1, 2, 3, 4, 5, 8]);
  assert.deepEqual(
    started.map(({ aborted }) => aborted),
    [false, false, false, true],
  );
});
