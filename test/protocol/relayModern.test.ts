import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serverMain } from '../support/bundledServer.ts';
import { until } from '../support/processes.ts';
import { answeringServer, modernServer, programStart } from '../support/recordingServer.ts';
import { directClient, type RawClient, relayedClient } from '../support/relayPeers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const [web, api] = ['web', 'api'].map(name => ({ uri: `file:///proj/${name}`, name })) as [
  Root,
  Root,
];
const elicited = { 'elicitation/create': { action: 'accept', content: { name: 'Ada' } } };

interface Root {
  readonly uri: string;
  readonly name: string;
}

function modern(client: RawClient, capabilities: object, answers = {}): RawClient {
  client.era = 'modern';
  client.capabilities = { elicitation: { form: {} }, ...capabilities };
  client.answers = { ...elicited, ...answers };
  return client;
}

test('a modern client works with a modern server as without a relay', async t => {
  const conversation = async (client: RawClient) => {
    const { result: discovered } = await client.ask('server/discover');
    return [
      { ...discovered, _meta: undefined },
      await client.ask('tools/list'),
      await client.callInRounds('where'),
      await client.callInRounds('plain'),
      await client.callInRounds('with-state'),
      (await client.call('nosy')).result.inputRequests,
      await client.callInRounds('who-and-where').then(withoutOrder),
      await client.callInRounds('nothing'),
      await client.call(
        'talkative',
        {},
        { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
      ),
      await client.ask('no/such/method'),
      client.told,
    ];
  };
  const roots = { 'roots/list': { roots: [web] } };
  const direct = modern(directClient(t, modernServer(t).start), { roots: {} }, roots);
  const server = modernServer(t);
  const { client } = await relayedClient(t, server.start, [web]);
  const relayed = modern(client, {});
  assert.deepEqual(await conversation(relayed), await conversation(direct));
});

test('a modern client hears of the server under the label, whatever that calls itself', async t => {
  const { client, relay } = await relayedClient(t, modernServer(t).start, [web]);
  const said: unknown[] = [];
  relay.onDidSay(({ method, result }) => said.push([method, result]));
  const { result } = await modern(client, {}).ask('server/discover');
  const info = result._meta['io.modelcontextprotocol/serverInfo'];
  assert.deepEqual(info, { name: 'label', title: 'label', version: '1' });
  assert.deepEqual(relay.client, { name: 'raw', version: '1' });
  const tools = await client.ask('tools/list');
  assert.deepEqual(said, [
    ['server/discover', result],
    ['tools/list', tools.result],
  ]);
});

test('a client goes on under no other name than its first', async t => {
  const { client, relay } = await relayedClient(t, modernServer(t).start, [web]);
  client.era = 'modern';
  await client.ask('tools/list');
  client.clientInfo = { name: 'other', version: '1' };
  assert.deepEqual((await client.ask('tools/list')).error, {
    code: -32600,
    message: 'This session is that of "raw": another client begins one of its own.',
  });
  assert.equal(relay.client.name, 'raw');
});

test('the bundled server reads for a modern client what the relay says, and what both have', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'web/a.txt': 'a', 'api/b.txt': 'b' });
  const root = (name: string) => ({ uri: pathToFileURL(join(folder, name)).href, name });
  const both = [root('web'), root('api')];
  const { client, relay } = await relayedClient(t, programStart('/', serverMain), both);
  const read = async (name: string) => {
    const { result } = await client.callInRounds('read-file', { path: join(folder, name) });
    return result.isError !== true;
  };
  modern(client, {});
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [true, true]);
  modern(client, { roots: {} }, { 'roots/list': { roots: [root('api'), root('other')] } });
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [false, true]);
  relay.setRoots([root('web')]);
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [false, false]);
  modern(client, {});
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [true, false]);
});

test('a modern client is asked for its roots when the server asks, and then alone', async t => {
  const server = modernServer(t);
  // The client's own are looked for on disk.
  const api = { uri: pathToFileURL(tempFolder(t)).href, name: 'api' };
  const { client, relay } = await relayedClient(t, server.start, [web, api]);
  let asked = 0;
  const answer = () => {
    asked += 1;
    return { roots: [api, { uri: 'file:///elsewhere' }] };
  };
  modern(client, { roots: {} }, { 'roots/list': answer });
  const where = async () => JSON.parse((await client.callInRounds('where')).result.content[0].text);
  await client.callInRounds('plain');
  await client.call('nosy');
  await client.ask('tools/list');
  assert.equal(asked, 0);
  assert.deepEqual(await where(), [api]);
  assert.deepEqual(await where(), [api]);
  assert.equal(asked, 2);
  const { result } = await client.callInRounds('who-and-where');
  assert.deepEqual(JSON.parse(result.content[0].text), {
    name: elicited['elicitation/create'],
    roots: { roots: [api] },
  });
  // An answer to another question says nothing of its roots.
  const { requestState } = (await client.call('nosy')).result;
  const inputResponses = { name: elicited['elicitation/create'] };
  await client.call('nosy', {}, { inputResponses, requestState });
  assert.deepEqual(
    relay.leftOutRoots.map(({ uri }) => uri),
    ['file:///elsewhere'],
  );
  assert.doesNotMatch(server.bytes(), /elsewhere|client-roots/);
});

test('a repetition has an id of its own, whatever ids the client takes', async t => {
  const server = modernServer(t);
  const { client } = await relayedClient(t, server.start, [web]);
  modern(client, {});
  const ids = ['mcp-roots-0', 'mcp-roots-1'];
  for (const id of ids) {
    const params = client.declaring({ name: 'where', arguments: {} });
    client.send({ id, method: 'tools/call', params });
    await client.response(id);
  }
  const sent = server.messages().flatMap(({ method, id }) => (method === 'tools/call' ? [id] : []));
  assert.equal(new Set([...sent, ...ids]).size, 4);
});

test('a modern client that does not say which roots it has lets nothing be seen', async t => {
  const { client } = await relayedClient(t, modernServer(t).start, [web]);
  modern(client, { roots: {} });
  const { result } = await client.call('where');
  const { inputRequests, requestState } = result;
  assert.deepEqual(Object.values(inputRequests), [{ method: 'roots/list' }]);
  const answer = await client.call('where', {}, { inputResponses: {}, requestState });
  assert.deepEqual(answer.result.content, [{ type: 'text', text: '[]' }]);
});

test('a modern client tells a server of no roots, with whatever request', async t => {
  const server = answeringServer(t, 'modern');
  const client = modern((await relayedClient(t, server.start, [web])).client, { roots: {} });
  const inputResponses = { where: { roots: [api] } };
  // Where the server was asked nothing, there is no round to answer in.
  await client.call('odd', {}, { inputResponses });
  for (const method of ['tools/list', 'tasks/update']) {
    const { error } = await client.ask(method, { name: 'odd', inputResponses });
    assert.match(error?.message ?? '', /holds roots, which it may not/, method);
  }
  const { error } = await client.ask('tasks/update', { inputResponses: { who: { name: 'Ada' } } });
  assert.equal(error?.message, 'Method not found');
  client.era = 'legacy';
  const undeclared = await client.call('odd', {}, { inputResponses });
  assert.match(undeclared.error?.message ?? '', /has to declare what its client can do/);
  assert.doesNotMatch(server.bytes(), /proj/);
});

test('a modern server that is offered no roots asks the client for none', async t => {
  const server = answeringServer(t, 'modern');
  const { client } = await relayedClient(t, server.start, undefined);
  modern(client, { roots: {} });
  const { error } = await client.call('endless');
  assert.equal(
    error?.message,
    'The tool "endless" asked for roots/list, which it was not offered.',
  );
  assert.doesNotMatch(server.bytes(), /"roots"/);
});

test('a modern call is refused, and news of lists is free', async t => {
  const { client } = await relayedClient(t, modernServer(t).start, [web], {
    admit: async () => 'Not now.',
  });
  modern(client, {});
  const { error } = await client.call('where');
  assert.deepEqual(error, { code: -32000, message: 'Not now.' });
  for (const kind of ['resourceSubscriptions', 'taskIds']) {
    const listening = await client.ask('subscriptions/listen', { notifications: { [kind]: [] } });
    assert.equal(listening.error?.message, 'Not now.');
  }
  // Servers in Go take keys in any case, and an answer to a question is a use.
  for (const [method, params] of [
    ['subscriptions/listen', { notifications: {}, Notifications: { taskIds: [] } }],
    ['tools/list', { InputResponses: { name: {} } }],
  ] as const) {
    assert.equal((await client.ask(method, params)).error?.message, 'Not now.');
  }
  client.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
});

test('odd answers of a modern server pass as they are', async t => {
  const conversation = async (client: RawClient) => {
    const token = { _meta: { progressToken: 7 } };
    return [
      await client.callInRounds('odd'),
      await client.callInRounds('fail'),
      await client.call('progress', {}, token),
      await client.callInRounds('roots-then-question'),
      await client.callInRounds('late-again'),
      await client.callInRounds('mixed'),
      client.told,
    ];
  };
  const direct = directClient(t, answeringServer(t, 'modern').start);
  modern(direct, { roots: {} }, { 'roots/list': { roots: [web] } });
  const { client } = await relayedClient(t, answeringServer(t, 'modern').start, [web]);
  assert.deepEqual(await conversation(modern(client, {})), await conversation(direct));
});

test('a modern call is cancelled under the id that the server has it by', async t => {
  const server = answeringServer(t, 'modern');
  const { client } = await relayedClient(t, server.start, [web]);
  modern(client, {});
  const id = client.request('tools/call', { name: 'hang', arguments: {} });
  await until('the call arrives', () => server.count('tools/call') === 1);
  client.notify('notifications/cancelled', { requestId: id });
  await until('the notice arrives', () => server.count('notifications/cancelled') === 1);
});

/** Which of two questions the server is answered first makes no difference. */
function withoutOrder({ result }: { readonly result?: { readonly content: [{ text: string }] } }) {
  return JSON.parse(result?.content[0].text ?? '');
}
