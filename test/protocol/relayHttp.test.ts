import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/processes.ts';
import { rawHttpServer, sendDiscovered, sendJson } from '../support/rawHttpServer.ts';
import { relayedClient } from '../support/relayPeers.ts';
import { sdkHttpServer } from '../support/sdkHttpServer.ts';
import { said } from '../support/texts.ts';

const web = { uri: 'file:///proj/web', name: 'web' };

const at = (url: string) => ({ url, headers: {} });

test('the relay sends roots to a server of the older SDK over HTTP after each change', async t => {
  const server = await sdkHttpServer(t);
  const { client, relay } = await relayedClient(t, at(server.url), [web]);
  const { result } = await client.initialize();
  assert.equal(result.serverInfo.name, 'label');
  await until('it is told', () => server.told.length > 0);
  relay.setRoots([]);
  await until('it is told again', () => server.told.length > 1);
  assert.deepEqual(server.told, [[web], []]);
  assert.deepEqual((await client.call('ask')).result.content, [{ type: 'text', text: '[]' }]);
  assert.deepEqual(client.told, []);
});

test('requests over HTTP name the revision of the handshake, and follow its end', async t => {
  let isOver = false;
  const early: unknown[] = [];
  const server = await rawHttpServer(t, async ({ message }) => {
    if (message?.method === 'notifications/initialized') {
      await delay(100);
      isOver = true;
    } else if (message?.method === 'ping' && !isOver) {
      early.push(message);
    }
    return false;
  });
  const { client } = await relayedClient(t, at(server.url), [web]);
  await client.initialize('2025-06-18');
  await client.ask('ping');
  assert.deepEqual(early, []);
  const posts = server.requests.filter(({ message }) => message?.method !== undefined);
  assert.deepEqual(
    posts.slice(0, 2).map(({ message }) => message?.method),
    ['initialize', 'notifications/initialized'],
  );
  const versions = posts.slice(1).map(({ headers }) => headers['mcp-protocol-version']);
  assert.deepEqual(new Set(versions), new Set(['2025-11-25']));
});

test('answers a request that fails over HTTP, and the next one', async t => {
  const server = await rawHttpServer(t, ({ message }, response) => {
    if (message?.method === 'prompts/list') {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('broken');
      return true;
    }
    if (message?.method === 'resources/list') {
      const error = { code: -32022, message: 'Not now', data: { why: 'x' } };
      return sendJson(response, 400, { jsonrpc: '2.0', id: message.id ?? 0, error });
    }
    return false;
  });
  const { client } = await relayedClient(t, at(server.url), [web]);
  await client.initialize();
  const { error } = await client.ask('prompts/list');
  assert.equal(error?.code, -32000);
  assert.match(error.message, /"label".* HTTP 500 broken\.$/);
  const refused = await client.ask('resources/list');
  assert.deepEqual(refused.error, { code: -32022, message: 'Not now', data: { why: 'x' } });
  assert.ok((await client.call('any')).result);
});

test('names the hub for a server over HTTP that speaks only a later revision', async t => {
  const error = { code: -32601, message: 'Method not found' };
  const server = await rawHttpServer(t, ({ message }, response) =>
    sendJson(response, 400, { jsonrpc: '2.0', id: message?.id ?? 0, error }),
  );
  const { client } = await relayedClient(t, at(server.url), [web]);
  const { error: told } = await client.initialize();
  assert.equal(told?.code, error.code);
  const later = 'relayRules.withoutCommonRevision()';
  assert.equal(said(told.message), `relayRules.useHub(label, ${later}, raw, 2025-11-25)`);
});

test('cancels a modern call over HTTP by ending its request', async t => {
  const ended: string[] = [];
  const server = await rawHttpServer(t, ({ request, message }, response) => {
    if (message?.method === 'server/discover') {
      return sendDiscovered(response, message.id);
    }
    if (message?.method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      request.socket.once('close', () => ended.push(message.method!));
      return true;
    }
    return false;
  });
  const { client, relay } = await relayedClient(t, at(server.url), [web]);
  client.era = 'modern';
  await client.ask('server/discover');
  const id = client.request('tools/call', { name: 'hang', arguments: {} });
  await until('the call arrives', () => server.got('tools/call').length === 1);
  client.notify('notifications/cancelled', { requestId: id });
  await until('its request ends', () => ended.length === 1);
  assert.deepEqual([relay.passedOn, server.got('notifications/cancelled')], [[], []]);
});
