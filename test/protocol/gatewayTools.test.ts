import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { readSnapshots, snapshotsFolder } from '../../src/connect/snapshot.ts';
import { effort } from '../support/effort.ts';
import {
  ConnectedClient,
  called,
  came,
  type GatewayScene,
  gatewayScene,
  onSocket,
  outcome,
} from '../support/gatewayServers.ts';
import { plainTool } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { modernServer, oddServer } from '../support/recordingServer.ts';
import type { RawClient } from '../support/relayPeers.ts';
import { type Era, eras } from '../support/wire.ts';

const listChanged = 'notifications/tools/list_changed';
const names = ['get_a', 'get_b', 'delete_a', 'Delete_A'];
const turnedOff = (name: string) => `error: toolsChosen.turnedOff(${name}, files)`;

function odd(t: TestContext) {
  return oddServer(t, { tools: names.map(plainTool), pageSize: 1 });
}

async function listed(client: RawClient): Promise<readonly string[]> {
  const found: string[] = [];
  for (let page: object = {}; ; ) {
    const { tools, nextCursor: cursor } = (await client.ask('tools/list', page)).result;
    found.push(...tools.map(({ name }: { readonly name: string }) => name));
    if (cursor === undefined) {
      return found;
    }
    page = { cursor };
  }
}

async function cameIn(t: TestContext, all: GatewayScene, era: Era): Promise<RawClient> {
  const client = new ConnectedClient(t, all.home, 'codex', '--workspace', all.home.workspace);
  client.era = era;
  await (era === 'legacy' ? client.initialize() : client.ask('server/discover'));
  return client;
}

describe('a tool that the user turns off', { concurrency: 2 }, () => {
  for (const era of eras) {
    test(`is gone at once for a ${era} client, and comes back`, async t => {
      const all = await gatewayScene(t, era === 'legacy' ? odd(t) : modernServer(t), 'codex');
      const { gateway, server, record } = all;
      const client = await cameIn(t, all, era);
      const before = await listed(client);
      const [hidden = '', kept = ''] =
        era === 'legacy' ? ['DELETE_a', 'get_a'] : ['Plain', 'talkative'];
      const folded = hidden.toLowerCase();
      if (era === 'modern') {
        client.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
        await client.next(({ method = '' }) => method.endsWith('acknowledged'));
      }
      const notices = () => client.received.filter(({ method }) => method === listChanged).length;
      const earlier = notices();
      const calls = record.count('tools/call');
      await gateway.choose(server, { off: [folded] });
      await until('it learns of that', () => notices() > earlier);
      const rest = before.filter(name => name.toLowerCase() !== folded);
      deepEqual(await listed(client), rest);
      for (const name of [folded, hidden, `${folded.slice(0, 3)}\u200b${folded.slice(3)}`]) {
        equal(outcome(await client.call(name)).split('(')[0], 'error: toolsChosen.turnedOff');
      }
      equal(record.count('tools/call'), calls);
      await client.call(kept);
      equal(record.count('tools/call'), calls + 1);

      // The connector connects again, to another process.
      const [session] = gateway.sessionsOf(server);
      await session?.leave();
      deepEqual(await listed(client), rest);
      equal(await called(client, folded), turnedOff(folded));

      await gateway.choose(server, { on: [hidden] });
      deepEqual(await listed(client), before);
      equal((await client.call(folded)).error, undefined);
    });
  }

  test('for one client stays for the others, also while the window is away', async t => {
    const all = await gatewayScene(t, odd(t), 'codex', 'gemini');
    const { gateway, server, home } = all;
    const [codex, gemini] = [await came(t, all), await came(t, all, 'gemini')];
    deepEqual([await listed(codex), await listed(gemini)], [names, names]);
    await gateway.choose(server, { off: ['get_a'] });
    await gateway.choose(server, { off: ['get_b', 'delete_a'] }, 'codex');
    await gateway.choose(server, { off: ['delete_a'] }, 'stranger');
    const shown = { codex: [], gemini: names.slice(1), stranger: ['get_b'] };
    deepEqual([await listed(codex), await listed(gemini)], [shown.codex, shown.gemini]);
    equal(await called(codex, 'delete_a'), turnedOff('delete_a'));
    equal(await called(gemini, 'delete_a'), 'delete_a');
    equal(await called(gemini, 'get_a'), turnedOff('get_a'));
    const file = join(snapshotsFolder(home.home), 'w.json');
    await until('the snapshot follows', () => {
      const { shown = {} } = readSnapshots(file)?.servers['files'] ?? {};
      return Object.keys(shown).includes('stranger');
    });
    await gateway.end();
    for (const [name, tools] of Object.entries(shown)) {
      deepEqual(await listed(await came(t, all, name)), tools, name);
    }
  });

  test('is never called after the tick was stored', async t => {
    const all = await gatewayScene(t, odd(t), 'codex');
    const { gateway, server, record } = all;
    const client = onSocket(t, all);
    client.clientInfo = { name: 'codex', version: '1' };
    await client.initialize();
    await listed(client);
    const burst = () => Array.from({ length: 10 }, () => client.call('delete_a'));
    const isPassed = ({ result }: { readonly result?: unknown }) => result !== undefined;
    let passed = 0;
    for (let round = 0; round < 100 * effort; round++) {
      const raced = burst();
      // The gateway reads the calls in a later turn, at different moments of the burst.
      for (let turns = round % 5; turns > 0; turns--) {
        await new Promise(setImmediate);
      }
      const stored = gateway.choose(server, { off: ['delete_a'] });
      const late = burst();
      await stored;
      deepEqual((await Promise.all(late)).filter(isPassed), []);
      passed += (await Promise.all(raced)).filter(isPassed).length;
      await gateway.choose(server, { on: ['delete_a'] });
      // The client looks through all that it has received for each answer.
      client.received.splice(0);
    }
    equal(record.count('tools/call'), passed);
    t.diagnostic(`${passed} of ${1000 * effort} raced calls came before the tick`);
  });
});
