import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  ConnectedClient,
  called,
  type GatewayScene,
  gatewayScene,
} from '../support/gatewayServers.ts';
import { allGone, isAlive, until } from '../support/processes.ts';
import { modernServer, type RecordingServer, rawServer } from '../support/recordingServer.ts';
import type { Era } from '../support/wire.ts';

const eras = {
  legacy: { opening: 'initialize', start: rawServer, tool: 'answers' },
  modern: { opening: 'server/discover', start: modernServer, tool: 'plain' },
} as const;

/** A client that shakes hands and lists the tools. */
async function listed(t: TestContext, { home }: Pick<GatewayScene, 'home'>, era: Era) {
  const client = new ConnectedClient(t, home, 'codex', '--workspace', home.workspace);
  client.era = era;
  await (era === 'legacy' ? client.initialize() : client.ask('server/discover'));
  const { tools } = (await client.ask('tools/list')).result;
  return Object.assign(client, { tools: tools as readonly { readonly name: string }[] });
}

/** A window that knows its server, because a client of it was there before. */
async function knownScene(t: TestContext, era: Era, record: RecordingServer) {
  const all = await gatewayScene(t, record, 'codex');
  const before = await listed(t, all, era);
  equal(record.pids().length, 1, 'What nobody knows yet is asked of a process.');
  await before.leave();
  await allGone(record.pids());
  return { ...all, tools: before.tools };
}

const living = ({ pids }: RecordingServer) => pids().filter(isAlive).length;

describe('an allowed client of a server that the window knows', { concurrency: 2 }, () => {
  for (const era of ['legacy', 'modern'] as const) {
    test(`has a process from its first use on (${era})`, async t => {
      const record = eras[era].start(t);
      const all = await knownScene(t, era, record);
      const clients = await Promise.all([1, 2, 3].map(() => listed(t, all, era)));
      for (const client of clients) {
        deepEqual(client.tools, all.tools);
        deepEqual(await client.ask('prompts/list').then(({ error }) => error?.code), -32601);
      }
      const states = () => all.gateway.sessionsOf(all.server).map(one => one.hasProcess);
      deepEqual(states(), [false, false, false]);
      await allGone(record.pids());
      const [using] = clients;
      const { tool } = eras[era];
      const before = record.pids().length;
      await Promise.all([called(using!, tool), called(using!, tool)]);
      equal(living(record), 1);
      equal(record.pids().length, before + 1);
      equal(record.count('tools/call'), 2);
      await until('the others wait', () => states().filter(Boolean).length === 1);
      equal(all.gateway.accepted, 5);
    });

    test(`learns that a new process has other tools (${era})`, async t => {
      const [first, second] =
        era === 'legacy'
          ? [rawServer(t), rawServer(t, { tools: 3 })]
          : [modernServer(t), modernServer(t, 'another')];
      const all = await knownScene(t, era, first);
      all.server.target = async () => second.start;
      const client = await listed(t, all, era);
      deepEqual(client.tools, all.tools);
      if (era === 'modern') {
        client.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
        await client.next(({ method = '' }) => method.endsWith('acknowledged'));
      }
      await client.call(eras[era].tool);
      await client.next(({ method = '' }) => method.endsWith('tools/list_changed'));
      const { tools } = (await client.ask('tools/list')).result;
      deepEqual((await listed(t, all, era)).tools, tools);
      equal(second.pids().length, 1);
      equal(JSON.stringify(tools) === JSON.stringify(all.tools), false);
    });
  }

  test('waits for no slow process before it uses the server', async t => {
    const record = rawServer(t);
    const all = await knownScene(t, 'legacy', record);
    let prepare: () => void = () => {};
    const prepared = new Promise<void>(resolve => (prepare = resolve));
    all.server.target = () => prepared.then(() => all.server.start);
    const [one, other] = [await listed(t, all, 'legacy'), await listed(t, all, 'legacy')];
    const answer = called(one);
    await until('its process begins', () =>
      all.gateway.sessionsOf(all.server).some(({ hasProcess }) => hasProcess),
    );
    deepEqual((await other.ask('tools/list')).result.tools, all.tools);
    equal(record.pids().length, 1);
    prepare();
    match(await answer, /^\[/);
    equal(record.count('tools/call'), 1);
  });

  test('has a process at once if it begins with a call', async t => {
    const record = modernServer(t);
    const all = await knownScene(t, 'modern', record);
    const { home } = all;
    const client = new ConnectedClient(t, home, 'codex', '--workspace', home.workspace);
    client.era = 'modern';
    equal(await called(client, 'plain'), 'no roots needed');
    equal(record.pids().length, 2);
    equal(record.count('tools/call'), 1);
    equal(all.gateway.accepted, 2);
  });
});
