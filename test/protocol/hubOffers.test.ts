import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askUntil } from '../support/askUntil.ts';
import { exposedTools, exposing, type Listed } from '../support/exposingHub.ts';
import { startHub } from '../support/hub.ts';
import { configOf, everythingServer } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { tempFolder } from '../support/temp.ts';

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

  test('are resources under URIs of their own, and prompts under names, read by those', async t => {
    const prompt = { name: 'ask.me', title: 'T', arguments: [{ name: 'q' }], 'x-own': 1 };
    const prompts = [prompt, { ...prompt, name: 'plain' }];
    const own = { name: 'r', annotations: { priority: 1 }, 'x-own': [null], _meta: { a: {} } };
    const options = {
      resources: [
        { ...own, uri: 'demo://a' },
        { ...own, uri: 'demo://missing' },
      ],
      resourceTemplates: [{ ...own, uriTemplate: 'demo://{+any}' }],
    };
    const servers = {
      odd: oddHubServer(t, { ...options, prompts }),
      'the odd': oddHubServer(t, options),
    };
    const { hub, folder } = await exposing(t, 'modern', servers);
    await hub.call('get-roots');
    const list = async () => (await hub.request('resources/list')).result.resources;
    const exposed = await askUntil(list, ({ length }) => length >= 4);
    deepEqual(
      exposed.slice(0, 2),
      options.resources.map(resource => ({ ...resource, uri: `odd+${resource.uri}` })),
    );
    match(exposed[2].uri, /^the-odd-[0-9a-f]{8}\+demo:\/\/a$/);
    const { resourceTemplates } = (await hub.request('resources/templates/list')).result;
    ok(
      resourceTemplates.some(
        ({ uriTemplate }: { uriTemplate: string }) => uriTemplate === 'odd+demo://{+any}',
      ),
    );
    for (const { uri } of [exposed[0], exposed[2]]) {
      const { contents, _meta } = (await hub.request('resources/read', { uri })).result;
      deepEqual(contents, [
        { uri, text: 'T', 'x/own': 1 },
        { uri: `${uri}#more`, text: 'T', 'x/own': 1 },
      ]);
      equal(_meta['x/kept'], true);
    }
    const missing = await hub.request('resources/read', { uri: 'odd+demo://missing' });
    deepEqual(missing.error, {
      code: -32602, // The SDK says so in both eras, as the later revision does.
      message: 'Resource not found',
      data: { uri: 'demo://missing' },
    });
    const outside = await hub.request('resources/read', { uri: 'odd+file:///etc/hostname' });
    match(outside.error?.message ?? '', /^Access denied: /);
    const inside = await hub.request('resources/read', { uri: `odd+file://${folder}/a.txt` });
    equal(inside.result.contents[0].uri, `odd+file://${folder}/a.txt`);

    const listPrompts = async () => (await hub.request('prompts/list')).result.prompts;
    const listed = await askUntil(listPrompts, ({ length }) => length > 0);
    match(listed[0].name, /^odd__ask_me_[0-9a-f]{8}$/);
    deepEqual({ ...listed[0], name: 'ask.me' }, prompt);
    for (const [at, name] of ['ask.me', 'plain'].entries()) {
      const args = { q: '1' };
      const get = { name: listed[at].name, arguments: args };
      const { result } = await hub.request('prompts/get', get);
      deepEqual(result['x/got'], { name, arguments: args });
      equal(result._meta['x/kept'], true);
    }
    const { error } = await hub.request('prompts/get', { name: 'odd_none' });
    equal(error?.code, -32602);
  });
});

test('what an exposed server refers to can be read through the hub', async t => {
  const roots = [tempFolder(t)];
  const config = configOf({ every: everythingServer(t) });
  const hub = await startHub(t, { era: 'legacy', config, roots, args: ['--expose', 'tools'] });
  const call = async (tool: string, args = {}) =>
    (await hub.callOwn(`every__${tool}`, args)).content as readonly Linked[];
  const links = (await call('get-resource-links', { count: 2 })).map(({ uri }) => uri);
  const type = { resourceType: 'Text', resourceId: 1 };
  const held = (await call('get-resource-reference', type)).map(({ resource }) => resource?.uri);
  const got = await hub.client.getPrompt({
    name: 'every__resource-prompt',
    arguments: { resourceType: 'Text', resourceId: '1' },
  });
  const prompted = got.messages.map(({ content }) => (content as Linked).resource?.uri);
  const all = [...links, ...held, ...prompted].filter(uri => uri !== undefined);
  equal(all.length, 4);
  for (const uri of all) {
    ok(uri.startsWith('every+demo://'), uri);
    const { contents } = await hub.client.readResource({ uri });
    equal(contents[0]?.uri, uri);
  }
  // As the server itself writes them, for those who know it under its own name.
  const { content } = await hub.call('every', 'get-resource-links', { count: 1 });
  ok((content as readonly Linked[]).every(({ uri = 'demo://' }) => uri.startsWith('demo://')));
});

interface Linked {
  readonly type: string;
  readonly uri?: string;
  readonly resource?: { readonly uri: string };
}
