import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { exposedTools, exposing } from '../support/exposingHub.ts';
import { configOf } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';

describe('a client of the hub hears', { concurrency: 2 }, () => {
  test('of other tools: when a server has them, starts, or is in the configuration', async t => {
    const odd = oddHubServer(t, { tools: ['grow', 'die', 'plain'].map(plainTool) });
    const late = oddHubServer(t, { tools: [plainTool('plain')] });
    const { hub } = await exposing(t, 'legacy', { odd });
    const hears = async (what: () => unknown) => {
      hub.notices.length = 0;
      await what();
      await hub.noticesOf('notifications/tools/list_changed');
    };
    await hears(() => hub.call('odd__plain'));
    await hears(() => hub.call('odd__grow'));
    ok((await exposedTools(hub)).some(({ name }) => name === 'odd__grown'));
    await hears(() => hub.call('odd__die').then(() => hub.call('odd__plain')));
    ok(!(await exposedTools(hub)).some(({ name }) => name === 'odd__grown'));
    await hears(() => writeFileSync(hub.configFile, JSON.stringify(configOf({ odd, late }))));
    ok((await exposedTools(hub)).some(({ name }) => name === 'late__plain'));
    await hears(() => writeFileSync(hub.configFile, JSON.stringify(configOf({ late }))));
    deepEqual(
      (await exposedTools(hub)).map(({ name }) => name),
      ['late__plain'],
    );
  });

  test('of other tools in the modern era, where it listens for that', async t => {
    const odd = oddHubServer(t, { tools: ['grow', 'plain'].map(plainTool) });
    const { hub } = await exposing(t, 'modern', { odd });
    await hub.call('odd__plain');
    await exposedTools(hub);
    hub.begin('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await hub.noticesOf('notifications/subscriptions/acknowledged');
    await hub.call('odd__grow');
    await hub.noticesOf('notifications/tools/list_changed');
  });

  test('what servers say about their work, from the level on that it set', async t => {
    const odd = oddHubServer(t, { tools: [plainTool('log')] });
    const { hub } = await exposing(t, 'legacy', { odd });
    const hears = async () => {
      hub.notices.length = 0;
      await hub.call('odd__log');
      const said = hub.notices.filter(({ method }) => method === 'notifications/message');
      return said.map(({ params }) => params.data);
    };
    const all = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    deepEqual(await hears(), all.slice(1));
    for (const [level, first] of Object.entries({ error: 4, debug: 0, emergency: 7 })) {
      deepEqual((await hub.request('logging/setLevel', { level })).result, {});
      deepEqual(await hears(), all.slice(first));
    }
    const { params } = hub.notices.findLast(({ method }) => method === 'notifications/message')!;
    deepEqual(params, { level: 'emergency', logger: 'odd/inner', data: 'emergency' });
    const { error } = await hub.request('logging/setLevel', { level: 'loud' });
    equal(error?.code, -32602);
    match(error?.message ?? '', /must be one of: debug, info,/);
  });

  test('in the modern era only what it asks for in a call', async t => {
    const odd = oddHubServer(t, { tools: [plainTool('log')] });
    const { hub } = await exposing(t, 'modern', { odd });
    await hub.call('odd__log');
    const said = () => hub.notices.filter(({ method }) => method === 'notifications/message');
    deepEqual(said(), []);
    const _meta = { 'io.modelcontextprotocol/logLevel': 'critical' };
    await hub.call('odd__log', {}, { _meta });
    deepEqual(
      said().map(({ params }) => params.data),
      ['critical', 'alert', 'emergency'],
    );
  });

  test('the values that servers complete with', async t => {
    const odd = oddHubServer(t, {
      prompts: [{ name: 'p.q' }],
      resourceTemplates: [{ uriTemplate: 'demo://{t}', name: 't' }],
    });
    const { hub } = await exposing(t, 'legacy', { odd });
    const { prompts } = (await hub.request('prompts/list')).result;
    const argument = { name: 'q', value: 'v' };
    const references = [
      [
        { type: 'ref/prompt', name: prompts[0].name },
        { type: 'ref/prompt', name: 'p.q' },
      ],
      [
        { type: 'ref/resource', uri: 'odd+demo://{t}' },
        { type: 'ref/resource', uri: 'demo://{t}' },
      ],
    ];
    for (const [ref, known] of references) {
      const { result } = await hub.request('completion/complete', { ref, argument });
      deepEqual(JSON.parse(result.completion.values[0]), { ref: known, argument });
    }
  });
});
