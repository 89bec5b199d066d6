import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { exposedTools, exposing } from '../support/exposingHub.ts';
import { configOf, plainServer } from '../support/hubServers.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { slowDownload } from '../support/slowDownload.ts';
import { onlyOn } from '../support/systems.ts';

describe('a client of the hub hears', { concurrency: 2 }, () => {
  test('of other tools: when a server has them, starts, or is in the configuration', async t => {
    const odd = oddHubServer(t, { tools: ['grow', 'die', 'plain'].map(plainTool) });
    const late = oddHubServer(t, { tools: [plainTool('plain')] });
    const { hub } = await exposing(t, 'legacy', { odd });
    // As a client does, it lists them after each notice. One may be of an earlier change still.
    const hears = async (what: () => unknown, expected: readonly string[]) => {
      hub.notices.length = 0;
      await what();
      for (let names: readonly string[] = [], count = 1; !isDeepStrictEqual(names, expected); ) {
        await hub.noticesOf('notifications/tools/list_changed', count);
        count = hub.notices.filter(isOfTools).length + 1;
        names = (await exposedTools(hub)).map(({ name }) => name);
      }
    };
    const own = ['odd__grow', 'odd__die', 'odd__plain'];
    const edit = (servers: Parameters<typeof configOf>[0]) =>
      writeFileSync(hub.configFile, JSON.stringify(configOf(servers)));
    await hears(() => hub.call('odd__plain'), own);
    await hears(() => hub.call('odd__grow'), [...own, 'odd__grown']);
    await hears(() => hub.call('odd__die').then(() => hub.call('odd__plain')), own);
    await hears(() => edit({ odd, late }), [...own, 'late__plain']);
    await hears(() => edit({ late }), ['late__plain']);
  });

  test('of a server that is slow to start when it is there, and has the tools of others before', {
    skip: onlyOn('posix', 'Its program is a script of a shell.'),
  }, async t => {
    const server = plainServer(t);
    const download = slowDownload(t, server.recorded);
    const { command, args } = download.launch;
    const slow = { ...server, definition: { command, args } };
    const quick = oddHubServer(t, { tools: [plainTool('plain')] });
    const { hub } = await exposing(t, 'legacy', { slow, quick });
    deepEqual(
      (await exposedTools(hub, ({ length }) => length > 0)).map(({ name }) => name),
      ['quick__plain'],
    );
    equal(download.times(), 1);
    hub.notices.length = 0;
    download.finish();
    await hub.noticesOf('notifications/tools/list_changed');
    await exposedTools(hub, tools => tools.some(({ name }) => name === 'slow__answers'));
  });

  test('in the modern era what it listens for', async t => {
    const odd = oddHubServer(t, { tools: [plainTool('grow')] });
    const { hub } = await exposing(t, 'modern', { odd });
    await exposedTools(hub);
    hub.begin('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await hub.noticesOf('notifications/subscriptions/acknowledged');
    await hub.call('odd__grow');
    await hub.noticesOf('notifications/tools/list_changed');
  });
});

function isOfTools({ method }: WireMessage): boolean {
  return method === 'notifications/tools/list_changed';
}
