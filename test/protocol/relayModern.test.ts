import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serverMain } from '../support/bundledServer.ts';
import { until } from '../support/processes.ts';
import { root } from '../support/recordingConnection.ts';
import { answeringServer, modernServer, programStart } from '../support/recordingServer.ts';
import { directClient, type RawClient, relayedClient } from '../support/relayPeers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const [web, api] = [root('web'), root('api')];
const elicited = { 'elicitation/create': { action: 'accept', content: { name: 'Ada' } } };

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

test('gives a modern client the label of the server in place of its own name', async t => {
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

test('refuses a client that changes its name', async t => {
  const { client, relay } = await relayedClient(t, modernServer(t).start, [web]);
  client.era = 'modern';
  await client.ask('tools/list');
  client.clientInfo = { name: 'other', version: '1' };
  const { code, message = '' } = (await client.ask('tools/list')).error ?? {};
  assert.deepEqual([code, said(message)], [-32600, 'relayRules.outOfTurn(raw)']);
  assert.equal(relay.client.name, 'raw');
});

test('the bundled server reads the relay’s roots, and only common ones for a client with roots', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'web/a.txt': 'a', 'api/b.txt': 'b' });
  const real = (name: string) => ({ uri: pathToFileURL(join(folder, name)).href, name });
  const both = [real('web'), real('api')];
  const { client, relay } = await relayedClient(t, programStart('/', serverMain), both);
  const read = async (name: string) => {
    const { result } = await client.callInRounds('read-file', { path: join(folder, name) });
    return result.isError !== true;
  };
  modern(client, {});
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [true, true]);
  modern(client, { roots: {} }, { 'roots/list': { roots: [real('api'), real('other')] } });
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [false, true]);
  relay.setRoots([real('web')]);
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [false, false]);
  modern(client, {});
  assert.deepEqual([await read('web/a.txt'), await read('api/b.txt')], [true, false]);
});

test('asks a modern client for its roots only when the server asks', async t => {
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

test('gives each repetition a new id', async t => {
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

test('shares nothing for a modern client that does not name its roots', async t => {
  const { client } = await relayedClient(t, modernServer(t).start, [web]);
  modern(client, { roots: {} });
  const { result } = await client.call('where');
  const { inputRequests, requestState } = result;
  assert.deepEqual(Object.values(inputRequests), [{ method: 'roots/list' }]);
  const answer = await client.call('where', {}, { inputResponses: {}, requestState });
  assert.deepEqual(answer.result.content, [{ type: 'text', text: '[]' }]);
});

test('removes roots from every request of a modern client', async t => {
  const server = answeringServer(t, 'modern');
  const client = modern((await relayedClient(t, server.start, [web])).client, { roots: {} });
  const inputResponses = { where: { roots: [api] } };
  // Without a request to the server, no round can carry the answer.
  await client.call('odd', {}, { inputResponses });
  for (const method of ['tools/list', 'tasks/update']) {
    const { error } = await client.ask(method, { name: 'odd', inputResponses });
    assert.equal(said(error?.message ?? ''), 'inputRounds.InputRounds()', method);
  }
  const { error } = await client.ask('tasks/update', { inputResponses: { who: { name: 'Ada' } } });
  assert.equal(error?.message, 'Method not found');
  client.era = 'legacy';
  const undeclared = await client.call('odd', {}, { inputResponses });
  assert.equal(undeclared.error?.code, -32600);
  assert.doesNotMatch(server.bytes(), /proj/);
});

test('passes no question for roots to the client when a modern server is offered none', async t => {
  const server = answeringServer(t, 'modern');
  const { client } = await relayedClient(t, server.start, undefined);
  modern(client, { roots: {} });
  const { error } = await client.call('endless');
  assert.equal(said(error?.message ?? ''), 'inputRounds.notOffered(endless, roots/list)');
  assert.doesNotMatch(server.bytes(), /"roots"/);
});

test('refuses a modern call, and lets news of lists pass', async t => {
  const { client } = await relayedClient(t, modernServer(t).start, [web], {
    admit: async () => 'Not now.',
  });
  modern(client, {});
  const { error } = await client.call('where');
  assert.deepEqual(error, { code: -32000, message: 'Not now.' });
  client.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await client.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
});

test('judges a modern call again before it is repeated with roots', async t => {
  const verdicts = [undefined, Promise.resolve('Not any more.')];
  const server = modernServer(t);
  const { client } = await relayedClient(t, server.start, [web], { admit: () => verdicts.shift() });
  modern(client, {});
  const { error } = await client.call('where');
  assert.deepEqual(error, { code: -32000, message: 'Not any more.' });
  assert.deepEqual([server.count('tools/call'), verdicts], [1, []]);
});

test('odd answers of a modern server pass unchanged', async t => {
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

test('cancels a modern call under the id that the server knows', async t => {
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
