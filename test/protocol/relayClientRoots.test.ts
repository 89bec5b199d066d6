import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { serverMain } from '../support/bundledServer.ts';
import { fakeHome } from '../support/fakeGateway.ts';
import {
  ConnectedClient,
  came,
  gatewayScene,
  openGatewayServers,
  outcome,
  StandInServer,
} from '../support/gatewayServers.ts';
import { packaged } from '../support/hubServers.ts';
import { isAlive, until } from '../support/processes.ts';
import {
  answeringServer,
  legacyServer,
  programStart,
  rawServer,
} from '../support/recordingServer.ts';
import { relayedClient, sentTo } from '../support/relayPeers.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const filesystem = packaged('@modelcontextprotocol/server-filesystem');

describe('the roots of a client', () => {
  /** Spellings that make a folder outside look like one in `api`. */
  const spellings = (api: string) => [
    ...[`${api}/.\t./outside`, `${api}/..\n/outside`, `${api}/..?`, `${api}/..#x`, `${api}/link`],
    ...[`${api}/%2e%2e/outside`, `${api}/..%2foutside`, `${api}/../outside`, `${api}\\..\\outside`],
    ...[`${api}?/../../outside`, `${api}/link/.`, `${api}/link/../outside`],
  ];
  test('give a server nothing outside of its visible roots, in any spelling', {
    skip: skipLinks,
  }, async t => {
    const { api } = withLink(t);
    await assertLeftOut(t, rawServer(t).start, api, spellings(api));
  });

  const servers = {
    'server-filesystem': (at: string) => ({
      start: programStart(at, filesystem),
      read: 'read_text_file',
    }),
    'the bundled server': (at: string) => ({
      start: programStart(at, serverMain),
      read: 'read-file',
    }),
  };
  for (const [name, server] of Object.entries(servers)) {
    test(`do not let ${name} read outside of its visible roots`, { skip: skipLinks }, async t => {
      const { folder, api } = withLink(t);
      const { start, read } = server(tempFolder(t));
      const client = await assertLeftOut(t, start, api, [`${api}/..?`, `${api}/link`]);
      const answer = await client.call(read, { path: join(folder, 'outside', 'secret.txt') });
      assert.ok(!JSON.stringify(answer).includes('"secret"'));
    });
  }

  test('are checked again at each answer: a link in their place leads nowhere', {
    skip: skipLinks,
  }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'api/sub/a.txt': '', 'outside/a.txt': '' });
    const [api, sub] = ['api', 'api/sub'].map(path => pathToFileURL(join(folder, path)).href);
    const { client } = await relayedClient(t, rawServer(t).start, [{ uri: api!, name: 'api' }]);
    client.capabilities = { roots: {} };
    client.answers = { 'roots/list': { roots: [{ uri: sub }] } };
    await client.initialize();
    const asked = async () => JSON.parse((await client.call('ask')).result.content[0].text);
    assert.deepEqual(await asked(), [{ uri: sub, name: 'api/sub' }]);
    renameSync(join(folder, 'api/sub'), join(folder, 'api/moved'));
    symlinkSync(join(folder, 'outside'), join(folder, 'api/sub'));
    assert.deepEqual(await asked(), []);
  });

  test("narrow nothing for the window's own agents", async t => {
    const root = { uri: pathToFileURL(tempFolder(t)).href, name: 'root' };
    const { client } = await relayedClient(t, legacyServer(t).start, [root], {
      isOfWindow: ({ name }) => name === 'The Editor',
    });
    client.clientInfo = { name: 'The Editor', version: '1' };
    client.capabilities = { roots: {} };
    client.answers = { 'roots/list': { roots: [] } };
    await client.initialize();
    const { result } = await client.call('known-roots');
    assert.deepEqual(JSON.parse(result.content[0].text), [root]);
  });

  test('end a process that had a root when none is left', async t => {
    const home = fakeHome(t);
    const [api, web] = ['api', 'web'].map(name => join(tempFolder(t), name)) as [string, string];
    mkdirSync(api);
    mkdirSync(web);
    writeTree(api, { 'a.txt': 'still there' });
    const server = new StandInServer('files', programStart(home.workspace, filesystem)).now({
      [api]: 'allowed',
      [web]: 'allowed',
    });
    const gateway = await openGatewayServers(t, home, server);
    await gateway.allow('agent', server);
    const client = new ConnectedClient(t, home, 'agent', '--workspace', home.workspace);
    client.capabilities = { roots: {} };
    client.answers = { 'roots/list': { roots: [{ uri: pathToFileURL(api).href }] } };
    await client.initialize();
    const read = async () => outcome(await client.call('read_text_file', { path: `${api}/a.txt` }));
    assert.equal(await read(), 'still there');
    server.now({ [api]: 'denied', [web]: 'allowed' });
    assert.match(await read(), /Access denied|not allowed|outside/);
  });
});

/** A folder `api` that has a link to the folder `outside` beside it. */
function withLink(t: TestContext) {
  const folder = tempFolder(t);
  writeTree(folder, { 'api/a.txt': 'inside', 'outside/secret.txt': 'secret' });
  symlinkSync(join(folder, 'outside'), join(folder, 'api', 'link'));
  return { folder, api: pathToFileURL(join(folder, 'api')).href };
}

/** Starts a server that may see `api`, for a client with these roots; it gets none of them. */
async function assertLeftOut(
  t: TestContext,
  start: ProcessStart,
  api: string,
  uris: readonly string[],
) {
  const root = { uri: api, name: 'api' };
  const { client, relay, traffic } = await relayedClient(t, start, [root]);
  client.capabilities = { roots: {} };
  client.answers = { 'roots/list': { roots: uris.map(uri => ({ uri, name: 'mine' })) } };
  await client.initialize();
  await client.call('ask');
  const told = sentTo(traffic).flatMap(({ result }) => result?.roots ?? []);
  assert.deepEqual(told, []);
  assert.equal(relay.leftOutRoots.length, uris.length);
  return client;
}

describe('the era of a session', () => {
  const root = { uri: 'file:///proj/web', name: 'web' };

  test("is the era of the server's handshake, whatever its client says later", async t => {
    const server = legacyServer(t);
    const { client, relay } = await relayedClient(t, server.start, [root]);
    await client.initialize();
    assert.equal((await client.call('known-roots')).error, undefined);
    client.era = 'modern';
    assert.match((await client.ask('tools/list')).error?.message ?? '', /began with "initialize"/);
    client.era = 'legacy';
    assert.match((await client.initialize()).error?.message ?? '', /handshake .* is complete/);
    relay.setRoots([]);
    await until('it hears of it', () => server.count('notifications/roots/list_changed') === 1);
  });

  test('begins with a handshake, and calls no tool before its end', async t => {
    const server = rawServer(t);
    const { client } = await relayedClient(t, server.start, [root]);
    assert.match((await client.call('answers')).error?.message ?? '', /handshake/);
    await client.response(client.beginHandshake());
    assert.match((await client.call('answers')).error?.message ?? '', /handshake/);
    assert.equal(server.count('tools/call'), 0);
  });

  test('holds an early call until the era and the roots of the client are known', async t => {
    const named = { uri: pathToFileURL(tempFolder(t)).href, name: 'root' };
    const server = legacyServer(t);
    const { client } = await relayedClient(t, server.start, [named]);
    client.capabilities = { roots: {} };
    const first = client.beginHandshake();
    client.notify('notifications/initialized');
    const call = client.call('known-roots');
    const { id } = await client.next(({ method }) => method === 'roots/list');
    assert.equal(client.received[0]?.id, first);
    for (let count = 0; count < 20; count++) {
      await client.ask('ping');
    }
    assert.equal(server.count('tools/call'), 0);
    client.send({ id: id!, result: { roots: [named] } });
    assert.deepEqual(JSON.parse((await call).result.content[0].text), [named]);
  });
});

describe('before the user lets a client use a server', () => {
  test('a server cannot read a message differently than the relay', async t => {
    const all = await gatewayScene(t, rawServer(t));
    const client = await came(t, all, 'agent');
    // Servers in Go take a key in any case, and some parsers the first of two.
    client.sendText('{"jsonrpc":"2.0","id":"a","method":"ping","Method":"tools/call"}');
    client.sendText('{"jsonrpc":"2.0","method":"notifications/cancelled","ID":1,"Method":"x"}');
    client.sendText('{"jsonrpc":"2.0","id":"raw-0","method":"ping","result":{"roots":["own"]}}');
    client.sendText('{"jsonrpc":"2.0","id":"b","method":"tools/call","method":"ping"}');
    assert.deepEqual(await client.response('b'), { result: {} });
    assert.doesNotMatch(all.record.bytes(), /tools\/call|Method|own/);
    const refused = client.received.filter(({ error }) => error?.code === -32600);
    assert.equal(refused.length, 3);
  });

  test('nothing starts for a client that the user denied', async t => {
    const { home, record, server, gateway } = await gatewayScene(t, rawServer(t));
    await gateway.allow('agent', server, false);
    const client = new ConnectedClient(t, home, 'agent', '--workspace', home.workspace);
    const { error } = await client.initialize();
    assert.equal(said(error?.message ?? ''), 'clientAllowed.refusalOf.2(agent, files)');
    assert.deepEqual(record.pids(), []);
    const late = new ConnectedClient(t, home, 'agent', '--workspace', home.workspace);
    late.sendText('{"jsonrpc":"2.0","id":"first","method":"ping"}');
    assert.deepEqual(await late.response('first'), { result: {} });
    assert.equal((await late.initialize()).error?.message, error?.message);
    await until('its process is gone', () => !record.pids().some(isAlive));
  });
});

test('a continuation that the client made up or changed is refused', async t => {
  const root = { uri: pathToFileURL(tempFolder(t)).href, name: 'root' };
  const server = answeringServer(t, 'modern');
  const { client } = await relayedClient(t, server.start, [root]);
  client.era = 'modern';
  client.capabilities = { elicitation: { form: {} } };
  const { result } = await client.call('mixed');
  const { requestState } = result;
  const who = { action: 'accept' };
  const elsewhere = { roots: [{ uri: 'file:///elsewhere' }] };
  const forged = [
    JSON.stringify({ state: undefined, roots: [] }),
    JSON.stringify({ roots: ['Roots'] }),
    '',
    `${requestState.slice(0, -2)}AA`,
  ];
  for (const state of forged) {
    const answer = await client.call('mixed', {}, { inputResponses: { who }, requestState: state });
    assert.match(answer.error?.message ?? '', /wrong request state/);
  }
  const other = await client.call('params', {}, { inputResponses: { who }, requestState });
  assert.match(other.error?.message ?? '', /wrong request state/);
  const answers = [
    { where: { Roots: elsewhere.roots } },
    JSON.parse('{"where":{"__proto__":{"roots":[{"uri":"file:///elsewhere"}]}}}'),
    { where: { result: elsewhere } },
    { where: elsewhere.roots },
    { again: [elsewhere] },
    { more: { uri: 'file:///elsewhere' } },
  ];
  for (const odd of answers) {
    const inputResponses = { who, ...odd };
    const answer = await client.call('mixed', {}, { inputResponses, requestState });
    const { where, again, more } = answer.result.inputResponses;
    const ours = { roots: [root] };
    assert.deepEqual({ where, again, more }, { where: ours, again: ours, more: undefined });
  }
  // Servers in Go take a key in any case.
  await client.call('mixed', {}, { InputResponses: { where: elsewhere }, requeſtState: '' });
  assert.doesNotMatch(server.bytes(), /elsewhere|requeſt/);
});
