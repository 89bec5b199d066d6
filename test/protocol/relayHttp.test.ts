import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startService } from '../support/httpService.ts';
import { until } from '../support/processes.ts';
import { rawHttpServer, sendDiscovered, sendJson } from '../support/rawHttpServer.ts';
import { relayedClient } from '../support/relayPeers.ts';
import { sdkHttpServer } from '../support/sdkHttpServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const web = { uri: 'file:///proj/web', name: 'web' };

const at = (url: string) => ({ url, headers: {} });

test('a server of the older SDK over HTTP is told of roots by the relay, after each change', async t => {
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

test('requests over HTTP name the revision of the handshake, and come after its end', async t => {
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

for (const era of ['legacy', 'modern'] as const) {
  test(`the bundled server over HTTP reads what the relay says (${era})`, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'web/a.txt': 'a', 'api/b.txt': 'b' });
    const root = (name: string) => ({ uri: pathToFileURL(join(folder, name)).href, name });
    const service = await startService(t);
    const { client, relay } = await relayedClient(t, at(service.url), [root('web')]);
    client.era = era;
    await (era === 'legacy' ? client.initialize() : client.ask('server/discover'));
    const read = async (name: string) => {
      const { result } = await client.callInRounds('read-file', { path: join(folder, name) });
      return result.isError !== true;
    };
    assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [true, false]);
    relay.setRoots([root('api')]);
    assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [false, true]);
    const { error } = await client.ask('no/such/method');
    assert.equal(error?.code, -32601);
  });
}

test('a request that HTTP fails is answered, and so is the next', async t => {
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
  assert.deepEqual(error, {
    code: -32000,
    message: 'The server "label" does not speak MCP as expected: HTTP 500 broken.',
  });
  const refused = await client.ask('resources/list');
  assert.deepEqual(refused.error, { code: -32022, message: 'Not now', data: { why: 'x' } });
  assert.ok((await client.call('any')).result);
});

test('a server that is not there answers the handshake with a sentence', async t => {
  const port = await freePort();
  const { client } = await relayedClient(t, at(`http://127.0.0.1:${port}/mcp`), [web]);
  const { error } = await client.ask('initialize', { protocolVersion: '2025-11-25' });
  assert.deepEqual(error, {
    code: -32000,
    message: `The server "label" can't be reached: 127.0.0.1:${port}: the connection was refused.`,
  });
});

test('a server over HTTP that speaks a later revision alone is named with the hub', async t => {
  const error = { code: -32601, message: 'Method not found' };
  const server = await rawHttpServer(t, ({ message }, response) =>
    sendJson(response, 400, { jsonrpc: '2.0', id: message?.id ?? 0, error }),
  );
  const { client } = await relayedClient(t, at(server.url), [web]);
  const { error: told } = await client.initialize();
  const ends = 'use it through the hub of MCP Roots, which bridges them.';
  const named = 'revision 2026-07-28 or later of the Model Context Protocol';
  const message = `The server "label" speaks ${named} and "raw" speaks 2025-11-25: ${ends}`;
  assert.deepEqual(told, { ...error, message });
});

test('a modern call over HTTP is cancelled by the end of its request', async t => {
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
