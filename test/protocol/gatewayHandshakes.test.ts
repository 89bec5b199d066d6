import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type ClientHandshake, handshakes, probesOf } from '../support/clientHandshakes.ts';
import { isSoak } from '../support/effort.ts';
import type { FakeHome } from '../support/fakeGateway.ts';
import {
  ConnectedClient,
  type GatewayScene,
  gatewayScene,
  outcome,
} from '../support/gatewayServers.ts';
import { patience } from '../support/patience.ts';
import {
  answeringServer,
  modernServer,
  oddServer,
  type RecordingServer,
} from '../support/recordingServer.ts';

const tools = ['a', 'b', 'c', 'd', 'e'].map(name => ({ name, inputSchema: { type: 'object' } }));

/** One that asks in the usual way, and one that lists tools before anybody uses them. */
const some = ['Claude Code 2.1.330', 'the listing of Codex 0.169.0'];

const names = Object.values(handshakes).map(({ clientInfo }) => clientInfo.name);

function scene(t: TestContext, record: RecordingServer): Promise<GatewayScene> {
  return gatewayScene(t, record, 'raw', ...names);
}

/** A client with the roots of its folder, if it is one that has any. */
function client(t: TestContext, home: FakeHome, like: Partial<ClientHandshake>) {
  const { clientInfo, capabilities = {}, roots = uri => [{ uri }] } = like;
  const one = new ConnectedClient(t, home, 'raw');
  one.clientInfo = clientInfo ?? one.clientInfo;
  one.capabilities = capabilities;
  one.answers = { 'roots/list': { roots: roots(pathToFileURL(home.workspace).href) } };
  return one;
}

/** What a client sees of the server when it shakes hands and lists the tools, all pages of them. */
async function seenBy(one: ConnectedClient, handshake: ClientHandshake) {
  for (const probe of probesOf(handshake)) {
    one.send(probe);
    const { error } = await one.response(probe.id);
    equal(error?.code, -32601);
  }
  const { result } = await one.initialize(handshake.revision);
  const { listParams } = handshake;
  const listed: object[] = [];
  let cursor: string | undefined;
  do {
    const page = (await one.ask('tools/list', { ...listParams, ...(cursor && { cursor }) })).result;
    listed.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return { result, listed };
}

describe('through the gateway', { concurrency: 3 }, () => {
  for (const [cli, handshake] of Object.entries(handshakes)) {
    if (!isSoak && !some.includes(cli)) {
      continue;
    }
    test(`the handshake of ${cli} is answered, and again when the window is away`, async t => {
      const all = await scene(t, oddServer(t, { tools, pageSize: 2, title: 'Odd' }));
      const { home, gateway } = all;
      const there = await seenBy(client(t, home, handshake), handshake);
      const { serverInfo } = there.result;
      deepEqual([serverInfo.name, serverInfo.title], ['files', 'files']);
      deepEqual(there.listed, tools);
      // The listing of one is started elsewhere, where no window is.
      const elsewhere = { ...home, workspace: home.home };
      deepEqual(await seenBy(client(t, elsewhere, handshake), handshake), there);
      await gateway.end();
      const start = performance.now();
      deepEqual(await seenBy(client(t, home, handshake), handshake), there);
      const time = Math.round(performance.now() - start);
      t.diagnostic(`answered ${time} ms after the start`);
      ok(time < patience / 10);
    });
  }

  test('a client of the later revisions is answered when the window is away, too', async t => {
    const { home, gateway } = await scene(t, modernServer(t));
    const seen = async () => {
      const one = client(t, home, {});
      one.era = 'modern';
      return [await one.ask('server/discover'), await one.ask('tools/list')];
    };
    const there = await seen();
    const [{ result }] = there as [{ result: Readonly<Record<string, object>> }];
    deepEqual(result['supportedVersions'], ['2026-07-28']);
    await gateway.end();
    deepEqual(await seen(), there);
  });

  test('what a server said that may not be used any more is not told', async t => {
    const { home, gateway, server } = await scene(t, oddServer(t, { tools }));
    const handshake = handshakes['Codex 0.169.0']!;
    await seenBy(client(t, home, handshake), handshake);
    server.now({ [home.workspace]: 'denied' });
    gateway.replace(server, server);
    await gateway.end();
    match(outcome(await client(t, home, {}).initialize()), /^error: No editor window/);
  });

  test('methods that nobody here knows pass, both ways', async t => {
    const record = answeringServer(t, 'legacy');
    const { home } = await scene(t, record);
    const one = client(t, home, {});
    one.answers = { 'x/ask': { well: true } };
    await one.initialize();
    const { error } = await one.ask('tasks/get', { taskId: 't' });
    equal(error?.message, 'Method not found');
    one.notify('x/news', { odd: [null] });
    const { result } = await one.call('ask', { method: 'x/ask', params: { deep: {} } });
    deepEqual(result.asked.result, { well: true });
    const told = record
      .messages()
      .flatMap(({ method, params }) =>
        method === 'tasks/get' || method === 'x/news' ? [[method, params]] : [],
      );
    deepEqual(told, [
      ['tasks/get', { taskId: 't' }],
      ['x/news', { odd: [null] }],
    ]);
  });
});
