import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConnectedClient,
  called,
  type GatewayScene,
  gatewayScene,
  onSocket,
} from '../support/gatewayServers.ts';
import { allGone, isAlive, until } from '../support/processes.ts';
import { answeringServer, modernServer, rawServer } from '../support/recordingServer.ts';

/** Lets the time pass after which an unused process ends. */
function pass({ server }: GatewayScene): void {
  server.clock.pass(30 * 60_000);
}

const living = ({ record }: GatewayScene) => record.pids().filter(isAlive).length;

describe('the process of a client', { concurrency: 2 }, () => {
  for (const [era, tool] of [
    ['legacy', 'answers'],
    ['modern', 'plain'],
  ] as const) {
    test(`ends when the client does not use it, until the next call (${era})`, async t => {
      const all = await gatewayScene(t, era === 'legacy' ? rawServer(t) : modernServer(t), 'codex');
      const client = new ConnectedClient(t, all.home, 'codex', '--workspace', all.home.workspace);
      client.era = era;
      await (era === 'legacy' ? client.initialize() : client.ask('server/discover'));
      const texts = [await called(client, tool)];
      all.server.clock.pass(29 * 60_000);
      texts.push(await called(client, tool));
      all.server.clock.pass(29 * 60_000);
      equal(living(all), 1);
      const sessions = () => all.gateway.sessionsOf(all.server);
      const [first] = sessions();
      pass(all);
      await allGone(all.record.pids());
      equal((await client.ask('tools/list')).result.tools.length > 0, true);
      const isFirst = (one: unknown) => one === first;
      await until('the first session is over', () => !sessions().some(isFirst));
      deepEqual(
        sessions().map(({ hasProcess }) => hasProcess),
        [false],
      );
      const before = all.record.pids().length;
      texts.push(await called(client, tool));
      equal(all.record.pids().length, before + 1);
      equal(new Set(texts).size, 1, String(texts));
      equal(all.record.count('tools/call'), 3);
    });
  }

  test('stays while a call is open, or if the server is kept alive', async t => {
    const all = await gatewayScene(t, answeringServer(t, 'legacy'), 'raw');
    const client = onSocket(t, all);
    await client.initialize();
    const hanging = client.request('tools/call', { name: 'hang' });
    await until('it hangs', () => all.record.count('tools/call') === 1);
    pass(all);
    client.notify('notifications/cancelled', { requestId: hanging });
    await client.call('odd');
    equal(living(all), 1);
    all.server.idleTime = undefined;
    pass(all);
    equal(living(all), 1);
    all.server.idleTime = 30 * 60_000;
    await client.call('odd');
    pass(all);
    await allGone(all.record.pids());
  });
});
