import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ProcessRecord } from '../../src/mcp/life/processRecord.ts';
import {
  ConnectedClient,
  called,
  came,
  type GatewayScene,
  gatewayScene,
  onSocket,
  outcome,
} from '../support/gatewayServers.ts';
import { allGone, isAlive, until } from '../support/processes.ts';
import { recordingConnection } from '../support/recordingConnection.ts';
import {
  answeringServer,
  modernServer,
  oddServer,
  type RecordingServer,
  rawServer,
} from '../support/recordingServer.ts';

/** A client that shakes hands and lists the tools; answers with how the server is called, and how many. */
async function introduced(t: TestContext, all: GatewayScene, name: string, revision?: string) {
  const client = onSocket(t, all);
  client.clientInfo = { name, version: '1' };
  const { result } = await client.initialize(revision);
  const { tools } = (await client.ask('tools/list')).result;
  return [result.serverInfo.name, result.protocolVersion, tools.length];
}

/** Answers the next question on a client. */
async function answerNext({ gateway }: GatewayScene, isAllowed: boolean) {
  const before = gateway.questions.length;
  await until('the user is asked', () => gateway.questions.length > before);
  gateway.questions[before]?.answer({ isAllowed, scope: 'session' });
}

/** Looks at the processes of the server until the test is over; answers how many there were at once. */
function watched(t: TestContext, { pids }: RecordingServer) {
  let most = 0;
  const look = () => {
    most = Math.max(most, pids().filter(isAlive).length);
  };
  const looking = setInterval(look, 5);
  t.after(() => clearInterval(looking));
  return () => most;
}

describe('clients that the user has not answered about', { concurrency: 3 }, () => {
  test('share one process until they are allowed', async t => {
    const record = rawServer(t);
    const all = await gatewayScene(t, record);
    const names = Array.from({ length: 300 }, (_, index) => `client-${index}`);
    const seen = await Promise.all(names.map(name => introduced(t, all, name)));
    deepEqual(new Set(seen.map(String)), new Set(['files,2025-11-25,6']));
    equal(record.pids().length, 1);
    await allGone(record.pids());

    const [good, bad] = [await came(t, all, 'good'), await came(t, all, 'bad')];
    equal((await good.ask('tools/list')).result.tools.length, 6);
    const answer = called(good);
    await answerNext(all, true);
    match(await answer, /^\[/);
    equal(record.pids().length, 2);
    const refusal = called(bad);
    await answerNext(all, false);
    equal(await refusal, 'error: clientAllowed.refusalOf.2(bad, files)');
    equal(record.pids().length, 2);
  });

  test('share one process in the later revisions, too', async t => {
    const record = modernServer(t);
    const all = await gatewayScene(t, record);
    const clients = Array.from({ length: 100 }, () => onSocket(t, all));
    const seen = clients.map(async client => {
      client.era = 'modern';
      const { result } = await client.ask('server/discover');
      const { tools } = (await client.ask('tools/list')).result;
      return [result.supportedVersions, tools.length > 0];
    });
    deepEqual(new Set((await Promise.all(seen)).map(String)), new Set(['2026-07-28,true']));
    equal(record.pids().length, 1);

    const good = new ConnectedClient(t, all.home, 'good');
    good.era = 'modern';
    const listening = good.request('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const { params } = await good.next(({ method = '' }) => method.endsWith('acknowledged'));
    deepEqual(params._meta, { 'io.modelcontextprotocol/subscriptionId': listening });
    const answer = good.call('plain');
    await answerNext(all, true);
    equal(outcome(await answer), 'no roots needed');
    equal(record.pids().length, 2);
  });

  test('learn that they see no tools any more', async t => {
    for (const era of ['legacy', 'modern'] as const) {
      const all = await gatewayScene(t, era === 'legacy' ? rawServer(t) : modernServer(t));
      const client = onSocket(t, all);
      client.era = era;
      const notifications = { toolsListChanged: true };
      await (era === 'legacy' ? client.initialize() : client.ask('server/discover'));
      const listening =
        era === 'modern' && client.request('subscriptions/listen', { notifications });
      const tools = async () => (await client.ask('tools/list')).result.tools.length;
      ok((await tools()) > 0);
      all.server.isLaunchAllowed = false;
      all.server.changed();
      const notice = await client.next(({ method = '' }) => method.endsWith('list_changed'));
      equal(notice.params?._meta?.['io.modelcontextprotocol/subscriptionId'] ?? false, listening);
      equal(await tools(), 0);
    }
  });

  test("get the answers of the window's own process", async t => {
    const tools = ['a', 'b', 'c'].map(name => ({ name, inputSchema: { type: 'object' } }));
    const servers = { legacy: oddServer(t, { tools, pageSize: 2 }), modern: modernServer(t) };
    for (const [era, record] of Object.entries(servers)) {
      const all = await gatewayScene(t, record);
      const { connection } = recordingConnection(t);
      const own = new ProcessRecord(() => {});
      own.follow(connection);
      all.server.record = own;
      await connection.start(record.start, []);
      const listed = await connection.listTools();

      const client = onSocket(t, all);
      client.era = era as typeof client.era;
      ok((await (era === 'modern' ? client.ask('server/discover') : client.initialize())).result);
      const first = (await client.ask('tools/list')).result;
      const cursor = first.nextCursor;
      const { tools: more } = cursor ? (await client.ask('tools/list', { cursor })).result : {};
      deepEqual(
        [...first.tools, ...(more ?? [])].map(({ name }) => name),
        listed.map(({ name }) => name),
      );
      equal(record.pids().length, 1);
    }
  });

  test('have one discovery at a time in all revisions', async t => {
    const record = rawServer(t, { version: '2025-06-18' });
    const most = watched(t, record);
    const all = await gatewayScene(t, record);
    const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2031-01-01', 'x'];
    const seen = await Promise.all(
      [...revisions, ...revisions].map(revision => introduced(t, all, 'any', revision)),
    );
    deepEqual(new Set(seen.map(String)), new Set(['files,2025-06-18,6']));
    ok(record.pids().length <= 4, `${record.pids().length} processes`);
    equal(most(), 1);
  });

  test('reach the server once the user allows them', async t => {
    const record = answeringServer(t, 'legacy');
    const all = await gatewayScene(t, record);
    const client = await came(t, all, 'secret-name');
    await client.ask('tools/list');
    deepEqual((await client.ask('logging/setLevel', { level: 'debug' })).result, {});
    client.notify('notifications/progress', { progressToken: 'secret', progress: 1 });
    client.notify('notifications/cancelled', { requestId: 'secret' });
    client.send({ id: 'secret', result: {} });
    await client.ask('ping');
    doesNotMatch(record.bytes(), /secret/);
    const answer = client.call('odd');
    await answerNext(all, true);
    equal((await answer).result.content, 7);
    await until('it is asked for its tools', () => record.count('tools/list') === 2);
    const said = record.messages().flatMap(({ method }) => (method === 'ping' ? [] : method));
    deepEqual(said.slice(said.lastIndexOf('initialize')), [
      'initialize',
      'notifications/initialized',
      'logging/setLevel',
      'tools/call',
      // The window asks whether the tools that it told the client are still the tools.
      'tools/list',
    ]);
  });

  test('learn why a list is unknown', async t => {
    const all = await gatewayScene(t, rawServer(t, { tools: 'failing' }));
    const failing = await came(t, all);
    deepEqual((await failing.ask('tools/list')).error, {
      code: -32603,
      message: 'The database is locked.',
    });
    equal((await failing.ask('prompts/list')).error?.code, -32601);
    const long = await gatewayScene(t, rawServer(t, { tools: 1_398_020 }));
    const client = await came(t, long);
    equal(outcome(await client.ask('tools/list')), 'error: discoveryClient.tooLong.message()');
  });

  test('lose their process when the user revokes the answer', async t => {
    const record = rawServer(t);
    const all = await gatewayScene(t, record, 'codex');
    const client = await came(t, all);
    match(await called(client), /^\[/);
    await all.gateway.records.setAnswer('client', all.server, undefined, 'codex');
    await allGone(record.pids());
    deepEqual((await client.ask('ping')).result, {});
    equal((await client.ask('tools/list')).result.tools.length, 6);
    const before = record.pids().length;
    const answer = called(client);
    await answerNext(all, true);
    match(await answer, /^\[/);
    equal(record.pids().length, before + 1);
  });
});
