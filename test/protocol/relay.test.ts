import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type After, afterReal } from '../../src/base/clock.ts';
import { effort } from '../support/effort.ts';
import { packaged } from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { until } from '../support/processes.ts';
import { root } from '../support/recordingConnection.ts';
import {
  askingServer,
  legacyServer,
  modernServer,
  programStart,
  rawServer,
} from '../support/recordingServer.ts';
import { relayedClient } from '../support/relayPeers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const filesystem = packaged('@modelcontextprotocol/server-filesystem');
const rootsNews = 'notifications/roots/list_changed';
const [web, api] = [root('web'), root('api')];

/** The same two on disk, where the roots of a client are looked for. */
function realRoots(t: TestContext) {
  const folder = tempFolder(t);
  writeTree(folder, { 'web/a.txt': '', 'api/a.txt': '' });
  const real = (name: string) => ({ uri: pathToFileURL(join(folder, name)).href, name });
  return [real('web'), real('api')] as const;
}

test('the first call right after the handshake finds a server that has its roots', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const roots = [{ uri: pathToFileURL(folder).href, name: 'root' }];
  // The call takes milliseconds.
  for (let done = 0; done < 2 * effort; done += 2) {
    const calls = [1, 2].map(async () => {
      const { client, wire } = await relayedClient(t, programStart(folder, filesystem), roots);
      await client.initialize();
      const answer = await client.call('read_text_file', { path: join(folder, 'a.txt') });
      await wire.close();
      return answer.result.content;
    });
    const content = [{ type: 'text', text: 'a' }];
    assert.deepEqual(await Promise.all(calls), [content, content]);
  }
});

test('asks about a client at each use, and not for a list', async t => {
  let asked = 0;
  const server = legacyServer(t);
  const { client } = await relayedClient(t, server.start, [web], {
    admit: async () => {
      asked += 1;
      return `No, for the ${asked}th time.`;
    },
  });
  await client.initialize();
  await client.ask('tools/list');
  assert.equal(asked, 0);
  for (const [index, method] of ['tools/call', 'subscriptions/listen', 'no/such'].entries()) {
    const error = { code: -32000, message: `No, for the ${index + 1}th time.` };
    assert.deepEqual(await client.ask(method, { name: 'ask' }), { error });
    assert.equal(server.count(method), 0);
  }
});

test('reports each request until it is answered, refused or cancelled', async t => {
  const admission = new Map<string, Promise<string | undefined>>();
  const { client, relay } = await relayedClient(t, rawServer(t).start, [], {
    admit: () => admission.get('next'),
  });
  const ends: Promise<readonly unknown[]>[] = [];
  relay.onDidAsk(({ method, params, ended }) =>
    ends.push(ended.then(end => [method, params['name'], end && Object.keys(end).at(-1)])),
  );
  await client.initialize();
  await client.call('answers');
  admission.set('next', Promise.resolve('No.'));
  await client.call('answers');
  admission.set('next', new Promise(() => {}));
  const requestId = client.request('tools/call', { name: 'cancelled' });
  client.notify('notifications/cancelled', { requestId });
  client.request('tools/call', { name: 'left' });
  relay.dispose();
  assert.deepEqual(await Promise.all(ends), [
    ['initialize', undefined, 'result'],
    ['tools/call', 'answers', 'result'],
    ['tools/call', 'answers', 'error'],
    ['tools/call', 'cancelled', undefined],
    ['tools/call', 'left', undefined],
  ]);
});

test('passes a held request on as it came', async t => {
  let admit = (_: undefined) => {};
  let admission: Promise<undefined> | undefined = new Promise(resolve => (admit = resolve));
  const server = rawServer(t);
  const { client, relay } = await relayedClient(t, server.start, [], {
    admit: () => admission,
  });
  await client.initialize();
  const line = '{"jsonrpc":"2.0", "id":"x", "method":"tools\\/call", "params":{"name":"answers"}}';
  // What reads lines uses the place of one for the next.
  const bytes = Buffer.from(line);
  relay.takeFromClient(JSON.parse(line), bytes);
  bytes.fill('?');
  assert.deepEqual(relay.passedOn, []);
  admission = undefined;
  admit(undefined);
  await client.response('x');
  assert.ok(server.bytes().includes(`${line}\n`));
});

test('judges a call again after it was held for the roots', async t => {
  const verdicts = [undefined, Promise.resolve('Not any more.')];
  const server = rawServer(t);
  const { client } = await relayedClient(t, server.start, [web], { admit: () => verdicts.shift() });
  await client.initialize();
  const error = { code: -32000, message: 'Not any more.' };
  assert.deepEqual(await client.call('answers'), { error });
  assert.deepEqual([server.count('tools/call'), verdicts], [0, []]);
});

test('limits held requests and the length of the name for a flooding client', async t => {
  const { client, relay } = await relayedClient(t, rawServer(t).start, [web], {
    admit: () => new Promise(() => {}),
  });
  client.clientInfo = { name: 'n'.repeat(10_000), version: '1' };
  await client.initialize();
  assert.equal(relay.client.name.length, 201);
  const text = 'x'.repeat(7 * 1024 * 1024);
  const ids = Array.from({ length: 11 }, () =>
    client.request('tools/call', { name: 'answers', arguments: { text } }),
  );
  const { error } = await client.response(ids.at(-1)!);
  assert.equal(error?.message, 'Too many open requests');
  client.send({ id: `${ids[0]}`, method: 'ping' });
  assert.equal((await client.response(`${ids[0]}`)).error?.message, 'Too many open requests');
  client.notify('notifications/cancelled', { requestId: ids[0] });
  assert.equal((await client.ask('ping')).error, undefined);
});

test('drops a call with its question when it is cancelled during the question', async t => {
  const withdrawn: boolean[] = [];
  let admit = (_: undefined) => {};
  const server = rawServer(t);
  const { client } = await relayedClient(t, server.start, [], {
    admit: signal => {
      signal.addEventListener('abort', () => withdrawn.push(true));
      return new Promise(resolve => (admit = resolve));
    },
  });
  await client.initialize();
  const id = client.request('tools/call', { name: 'answers', arguments: {} });
  client.notify('notifications/cancelled', { requestId: id });
  assert.deepEqual(withdrawn, [true]);
  admit(undefined);
  await client.ask('ping');
  assert.equal(server.count('tools/call') + server.count('notifications/cancelled'), 0);
  assert.ok(!client.received.some(message => message.id === id));
});

test('ends a cancelled call for the client, and tells the server', async t => {
  const server = askingServer(t);
  const { client, relay } = await relayedClient(t, server.start, []);
  await client.initialize();
  const id = client.request('tools/call', { name: 'ask', arguments: { rounds: [['endless']] } });
  await until('the call arrives', () => server.count('tools/call') === 1);
  assert.deepEqual(relay.passedOn, [id]);
  client.notify('notifications/cancelled', { requestId: `${id}`, reason: 'enough' });
  assert.deepEqual(relay.passedOn, []);
  await until('the notice arrives, by the id of the call', () =>
    server
      .messages()
      .some(one => one.method === 'notifications/cancelled' && Object(one.params).requestId === id),
  );
});

test('shares no roots of the client with a server that is offered none', async t => {
  const server = legacyServer(t);
  const { client } = await relayedClient(t, server.start, undefined);
  client.capabilities = { roots: { listChanged: true } };
  client.answers = { 'roots/list': { roots: [api] } };
  await client.initialize();
  const { result } = await client.call('ask');
  assert.equal(result.content[0].text, 'MCP error -32601: Roots not supported');
  assert.deepEqual(client.told, []);
  assert.doesNotMatch(server.bytes(), /"roots"/);
});

test('gives a server only roots that both the user and the client share', async t => {
  const server = legacyServer(t);
  const [web, api] = realRoots(t);
  const { client, relay } = await relayedClient(t, server.start, [web, api]);
  let roots = [api, { uri: 'file:///elsewhere', name: 'elsewhere' }];
  client.capabilities = { roots: { listChanged: true } };
  client.answers = { 'roots/list': () => ({ roots }) };
  await client.initialize();
  const seen = async () => JSON.parse((await client.call('known-roots')).result.content[0].text);
  assert.deepEqual(await seen(), [api]);
  relay.setRoots([web]);
  assert.deepEqual(await seen(), []);
  roots = [web];
  client.notify(rootsNews);
  await until('the client was asked again', () => client.told.length === 2);
  assert.deepEqual(await seen(), [web]);
  assert.doesNotMatch(server.bytes(), /elsewhere/);
});

test("holds no call when the client's roots are the same", async t => {
  const server = rawServer(t);
  const holds: number[] = [];
  const after: After = (time, run) => {
    holds.push(time);
    return afterReal(time, run);
  };
  const { client } = await relayedClient(t, server.start, [web], { after });
  client.capabilities = { roots: { listChanged: true } };
  client.answers = { 'roots/list': { roots: [web] } };
  await client.initialize();
  await client.call('ask');
  const before = holds.length;
  client.notify(rootsNews);
  await until('it was asked again', () => client.told.length === 2);
  await client.call('ask');
  assert.equal(holds.length, before);
});

test('drops an answer to a question of another process', async t => {
  const server = askingServer(t);
  const { client } = await relayedClient(t, server.start, []);
  client.capabilities = { elicitation: {} };
  await client.initialize();
  const id = client.request('tools/call', { name: 'ask', arguments: { rounds: [['name']] } });
  const question = await client.next(({ method }) => method === 'elicitation/create');
  // The server's ids start again with each process.
  client.send({ id: 0, result: { action: 'accept', content: { name: 'late' } } });
  client.send({ id: question.id!, result: { action: 'decline' } });
  const { result } = await client.response(id);
  assert.equal(result.content[0].text, '[[{"action":"decline"}]]');
  client.send({ id: question.id!, result: { action: 'accept', content: { name: 'twice' } } });
  await client.ask('ping');
  assert.doesNotMatch(server.bytes(), /late|twice/);
});

test('passes a hundred questions of a flooding server at once', async t => {
  const server = rawServer(t, { asks: 'never' });
  const { client, serverSays } = await relayedClient(t, server.start, [web]);
  await client.initialize();
  const ask = (id: number) => serverSays({ id, method: 'example/who', params: { id } });
  const asked = () => client.received.filter(({ method }) => method === 'example/who');
  for (let id = 0; id < 101; id++) {
    ask(id);
  }
  assert.equal(asked().length, 100);
  await until('the refusal', () =>
    server.messages().some(({ id, error }) => id === 100 && Object(error).code === -32000),
  );
  serverSays({ method: 'notifications/cancelled', params: { requestId: 1 } });
  const { method, params } = client.received.at(-1)!;
  assert.deepEqual([method, params], ['notifications/cancelled', { requestId: asked()[1]?.id }]);
  client.send({ id: asked()[2]!.id!, result: {} });
  ask(102);
  ask(103);
  ask(104);
  assert.deepEqual(
    asked()
      .slice(100)
      .map(({ params }) => params.id),
    [102, 103],
  );
});

test('removes roots from any answer of a client to a server', async t => {
  const server = rawServer(t, { asks: 'never' });
  const { client, serverSays } = await relayedClient(t, server.start, [web]);
  await client.initialize();
  client.answers = { 'example/where': { roots: [api] } };
  serverSays({ id: 'q', method: 'example/where' });
  await until('an answer', () => server.messages().some(({ id }) => id === 'q'));
  assert.doesNotMatch(server.bytes(), /proj\/api/);
});

test('names both revisions, and the hub, when client and server have none in common', async t => {
  const { client } = await relayedClient(t, modernServer(t).start, [web]);
  const { error } = await client.initialize('2025-06-18');
  const { message = '', ...others } = error ?? {};
  assert.equal(said(message), 'relayRules.useHub(label, 2026-07-28, raw, 2025-06-18)');
  assert.deepEqual(others, {
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-06-18' },
  });
});

test('a client that tries the modern era first falls back, and is never asked for roots', async t => {
  const server = legacyServer(t);
  const { client, relay } = await relayedClient(t, server.start, [web]);
  const said: string[] = [];
  relay.onDidSay(({ method }) => said.push(method));
  client.era = 'modern';
  client.capabilities = { roots: {} };
  client.answers = { 'roots/list': { roots: [web] } };
  const { error } = await client.ask('server/discover');
  assert.deepEqual(error, { code: -32601, message: 'Method not found' });
  client.era = 'legacy';
  client.capabilities = {};
  const { result } = await client.initialize();
  assert.deepEqual(result.serverInfo, { name: 'label', title: 'label', version: '1' });
  await until('it asks', () => server.bytes().includes('"result":{"roots"'));
  const answer = await client.call('known-roots');
  assert.deepEqual(JSON.parse(answer.result.content[0].text), [web]);
  await client.ask('tools/list');
  assert.deepEqual(client.told, []);
  assert.deepEqual(said, ['initialize', 'tools/list']);
});

test('answers a server that asks before the end of the handshake, also after a fallback', async t => {
  const server = rawServer(t, { asksEarly: true });
  const { client } = await relayedClient(t, server.start, [web]);
  client.era = 'modern';
  await client.ask('server/discover');
  client.era = 'legacy';
  await client.initialize();
  await until('it is answered', () => server.bytes().includes(`{"roots":[{"uri":"${web.uri}"`));
  assert.doesNotMatch(server.bytes(), /"error"/);
  assert.deepEqual(client.told, []);
});

test('a relay that ends leaves no open request', { timeout: patience }, async t => {
  let signal: AbortSignal | undefined;
  const { client, relay } = await relayedClient(t, rawServer(t).start, [], {
    admit: given => {
      signal = given;
      return new Promise(() => {});
    },
  });
  await client.initialize();
  client.request('tools/call', { name: 'answers' });
  relay.dispose();
  assert.equal(signal?.aborted, true);
});

test('passes on a list as the gate shows it, and tells its host the whole', async t => {
  const { client, relay } = await relayedClient(t, rawServer(t).start, [], {
    shown: (method, result) => (method === 'tools/list' ? { ...result, tools: [] } : result),
  });
  const listed: unknown[] = [];
  relay.onDidSay(({ method, result }) => method === 'tools/list' && listed.push(result['tools']));
  await client.initialize();
  const { result } = await client.ask('tools/list');
  assert.deepEqual(result?.tools, []);
  assert.ok(Array.isArray(listed[0]) && listed[0].length > 0);
});
