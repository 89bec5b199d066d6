import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exposedTools, exposing, type Listed } from '../support/exposingHub.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';

/** A tool with everything in it that a schema library might leave out or put in order. */
const rich: Listed = {
  name: 'rich',
  title: 'Rich',
  description: 'Two\nlines.',
  inputSchema: {
    type: 'object',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { side: { oneOf: [{ const: 'a' }, { type: 'integer', 'x-own': [null] }] } },
    properties: { z: { $ref: '#/$defs/side' }, a: { anyOf: [{}, true] } },
    'x-vendor': { deep: [{}] },
  },
  outputSchema: { type: 'object', properties: { a: { type: ['null', 'array'] } } },
  annotations: { title: 'A', readOnlyHint: false, 'x-hint': 1 },
  icons: [{ src: 'data:image/png;base64,AA==', sizes: ['1x1'], 'x-icon': true }],
  execution: { taskSupport: 'optional' },
  _meta: { 'io.example/own': { n: null } },
  'x-unknown': [1],
};

describe('what servers offer, exposed by the hub', { concurrency: 2 }, () => {
  test('are tools under names of their own, with schemas as they came', async t => {
    const names = ['rich', 'a.b', 'ünï', 'sláinte/x', 'n'.repeat(300), 'same', 'a b', 'a_b'];
    const tools = names.map(name => ({ ...rich, name }));
    const odd = () => oddHubServer(t, { tools });
    const servers = { 'one.two': odd(), one_two: odd(), 'one two': odd(), ö: odd() };
    const { hub } = await exposing(t, 'modern', servers);
    const listed = await exposedTools(hub, ({ length }) => length >= 32);
    equal(listed.length, 32);
    equal(new Set(listed.map(({ name }) => name)).size, 32);
    for (const { name } of listed) {
      match(name, /^[\w-]{1,45}$/);
    }
    // What tasks are in the older revisions is not in the newest one.
    const { execution: _execution, ...richNow } = rich;
    deepEqual(
      listed.map(tool => ({ ...tool, name: '' })),
      listed.map(() => ({ ...richNow, name: '' })),
    );
    for (const [at, { name }] of listed.entries()) {
      const { result } = await hub.call(name, { at });
      const { params, pid } = result.structuredContent;
      deepEqual(params, { name: names[at % 8], arguments: { at } });
      const isOf = Object.values(servers).map(({ recorded }) => recorded.pids().includes(pid));
      equal(isOf.indexOf(true), Math.floor(at / 8));
    }
  });

  test('can be called before they were listed, and while no server runs', async t => {
    const odd = oddHubServer(t, { tools: ['plain', 'with.dot'].map(plainTool) });
    const { hub } = await exposing(t, 'modern', { odd });
    const first = await hub.call('odd__plain');
    equal(first.result.content[0].text, 'plain');
    const dotted = (await exposedTools(hub))[1]!.name;
    const { hub: fresh } = await exposing(t, 'modern', { odd });
    const second = await fresh.call(dotted);
    equal(second.result.content[0].text, 'with.dot');
    // What nobody offers is refused in words.
    const { error, result } = await hub.call('nobody__plain');
    match(error?.message ?? result.content[0].text, /nobody__plain/);
  });
});
