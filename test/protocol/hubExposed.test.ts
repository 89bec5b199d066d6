import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  configOf,
  everythingServer,
  filesystemServer,
  type HubServer,
} from '../support/hubServers.ts';
import { HubWire, type WireMessage } from '../support/hubWire.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { type Era, eras } from '../support/wire.ts';

type Servers = Readonly<Record<string, HubServer>>;
type Named = { readonly name: string } & Readonly<Record<string, unknown>>;

/** A tool with everything in it that a schema library might leave out or put in order. */
const rich: Named = {
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

for (const era of eras) {
  describe(`what servers offer, exposed by the hub to a ${era} client`, { concurrency: 2 }, () => {
    test('are tools under names of their own, with schemas as they came', async t => {
      const names = ['rich', 'a.b', 'ünï', 'sláinte/x', 'n'.repeat(300), 'same', 'a b', 'a_b'];
      const tools = names.map(name => ({ ...rich, name }));
      const odd = () => oddHubServer(t, { tools });
      const servers = { 'one.two': odd(), one_two: odd(), 'one two': odd(), ö: odd() };
      const { hub } = await exposing(t, era, servers);
      const listed = await exposedTools(hub);
      equal(listed.length, 32);
      equal(new Set(listed.map(({ name }) => name)).size, 32);
      for (const { name } of listed) {
        match(name, /^[\w-]{1,45}$/);
      }
      // What tasks are in the older revisions is not in the newest one.
      const { execution, ...richNow } = rich;
      deepEqual(
        listed.map(tool => ({ ...tool, name: '' })),
        listed.map(() => ({ ...richNow, ...(era === 'legacy' && { execution }), name: '' })),
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
      const { hub } = await exposing(t, era, { odd });
      const first = await hub.call('odd__plain');
      equal(first.result.content[0].text, 'plain');
      const dotted = (await exposedTools(hub))[1]!.name;
      const { hub: fresh } = await exposing(t, era, { odd });
      const second = await fresh.call(dotted);
      equal(second.result.content[0].text, 'with.dot');
    });

    test('that nobody offers are refused in words', async t => {
      const odd = oddHubServer(t, { tools: [plainTool('plain')] });
      const { hub } = await exposing(t, era, { odd });
      const { error, result } = await hub.call('nobody__plain');
      match(error?.message ?? result.content[0].text, /nobody__plain/);
    });

    test('fail with the error of their server, untouched', async t => {
      const odd = oddHubServer(t, { tools: [plainTool('fail')] });
      const { hub } = await exposing(t, era, { odd });
      const issues = JSON.stringify([{ path: ['a'], message: 'Required' }], undefined, 2);
      const errors = [
        { code: -32055, message: 'first\nsecond \u202e\u0007', data: { uri: 'x', list: [null] } },
        { code: -32603, message: `Invalid arguments: ${issues}` },
        { code: -32602, message: issues, data: null },
        { code: -32602, message: 'x'.repeat(100_000), data: 'text' },
        { code: -32042, message: 'Open it.', data: { elicitations: [] } },
        { code: 7, message: '' },
      ];
      for (const error of errors) {
        deepEqual((await hub.call('odd__fail', error)).error, error);
        const args = { serverName: 'odd', toolName: 'fail', toolArgs: error };
        deepEqual((await hub.call('call-tool', args)).error, error);
      }
      // What is wrong with the request itself is still told in words.
      const { error } = await hub.request('tools/call', { name: 'read-file', arguments: [] });
      match(error?.message ?? '', /^Invalid request: [^\n]*\.$/);
    });

    test('fail with the result of their server, untouched', async t => {
      const odd = oddHubServer(t, { tools: [plainTool('refuse')] });
      const { hub } = await exposing(t, era, { odd });
      const { content, isError, ...more } = (await hub.call('odd__refuse')).result;
      deepEqual(content, [{ type: 'text', text: 'no\n[\n]' }]);
      equal(isError, true);
      deepEqual(more['x/own'], [null]);
    });

    test('answer in the form that the client knows, where the schema is of a later one', async t => {
      const outputSchema = { type: 'array', items: { type: 'string' } };
      const tools = [{ ...plainTool('list'), outputSchema }, plainTool('untold')];
      const odd = oddHubServer(t, { tools });
      const { hub } = await exposing(t, era, { odd });
      const wrapped = {
        type: 'object',
        properties: { result: outputSchema },
        required: ['result'],
      };
      const isOld = era === 'legacy';
      const [listed] = await exposedTools(hub);
      deepEqual(listed?.['outputSchema'], isOld ? wrapped : outputSchema);
      const answers = async (tool: string) => (await hub.call(tool)).result.structuredContent;
      const expected = isOld ? { result: ['a'] } : ['a'];
      deepEqual(await answers('odd__list'), expected);
      deepEqual(await answers('odd__untold'), expected);
      const args = { serverName: 'odd', toolName: 'list' };
      deepEqual((await hub.call('call-tool', args)).result.structuredContent, expected);
    });

    test('are held against the roots like those of call-tool', async t => {
      const files = filesystemServer(t);
      const { hub, folder } = await exposing(t, era, { files });
      const read = (path: string) => hub.call('files__read_text_file', { path });
      equal((await read(join(folder, 'a.txt'))).result.content[0].text, 'a');
      const { result } = await read('/etc/hostname');
      equal(result.isError, true);
      match(result.content[0].text, /^Access denied: Path '\/etc\/hostname'/);
      ok(!files.recorded.bytes().includes('hostname'));
    });

    test('tell how far they are, under the token of the client', async t => {
      const odd = oddHubServer(t, { tools: [plainTool('progress')] });
      const { hub } = await exposing(t, era, { odd });
      for (const progressToken of ['mine', 0]) {
        hub.notices.length = 0;
        equal((await hub.call('odd__progress', {}, { _meta: { progressToken } })).error, undefined);
        const told = await hub.noticesOf('notifications/progress', 2);
        deepEqual(
          told.map(({ params: { _meta, ...params } }) => params),
          [1, 2].map(progress => {
            return { progress, total: 2, message: `step ${progress}`, progressToken };
          }),
        );
      }
    });

    test('tell how far they were last before they answer, however fast they tell', async t => {
      const odd = oddHubServer(t, { tools: [plainTool('progress')] });
      const { hub } = await exposing(t, era, { odd });
      const _meta = { progressToken: 'mine' };
      await hub.call('odd__progress', { steps: 500 }, { _meta });
      // In the order of the wire: no notice that follows the answer is there yet.
      const told = hub.notices.filter(({ method }) => method === 'notifications/progress');
      ok(told.length < 200, String(told.length));
      equal(told.at(-1)?.params.progress, 500);
    });

    test('are called off, and only the call that was', async t => {
      const odd = oddHubServer(t, { tools: ['hang', 'plain'].map(plainTool) });
      const { hub } = await exposing(t, era, { odd });
      await hub.call('odd__plain');
      const hanging = hub.begin('tools/call', { name: 'odd__hang', ...(await rootsGiven(hub)) });
      await until('the call arrives', () => odd.recorded.count('tools/call') === 2, 15_000);
      hub.send({ method: 'notifications/cancelled', params: { requestId: hanging } });
      await until('it is told', () => odd.recorded.count('notifications/cancelled') === 1, 15_000);
      const messages = odd.recorded.messages() as readonly WireMessage[];
      const called = messages.findLast(({ method }) => method === 'tools/call');
      const cancelled = messages.find(({ method }) => method === 'notifications/cancelled');
      equal(cancelled?.params.requestId, called?.id);
      equal((await hub.call('odd__plain')).error, undefined);
    });

    test('are resources under URIs of their own, read by those', async t => {
      const own = { name: 'r', annotations: { priority: 1 }, 'x-own': [null], _meta: { a: {} } };
      const options = {
        resources: [
          { ...own, uri: 'demo://a' },
          { ...own, uri: 'demo://missing' },
        ],
        resourceTemplates: [{ ...own, uriTemplate: 'demo://{+any}' }],
      };
      const servers = { odd: oddHubServer(t, options), 'the odd': oddHubServer(t, options) };
      const { hub, folder } = await exposing(t, era, servers);
      await hub.call('get-roots');
      const { resources } = (await hub.request('resources/list')).result;
      const exposed = resources.filter(({ uri }: { uri: string }) => !uri.startsWith('file:'));
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
        code: -32002,
        message: 'Resource not found',
        data: { uri: 'demo://missing' },
      });
      const outside = await hub.request('resources/read', { uri: 'odd+file:///etc/hostname' });
      match(outside.error?.message ?? '', /^Access denied: /);
      const inside = await hub.request('resources/read', { uri: `odd+file://${folder}/a.txt` });
      equal(inside.result.contents[0].uri, `odd+file://${folder}/a.txt`);
    });

    test('are prompts under names of their own, with their arguments', async t => {
      const prompt = { name: 'ask.me', title: 'T', arguments: [{ name: 'q' }], 'x-own': 1 };
      const odd = oddHubServer(t, { prompts: [prompt, { ...prompt, name: 'plain' }] });
      const { hub } = await exposing(t, era, { odd });
      await hub.call('get-roots');
      const { prompts } = (await hub.request('prompts/list')).result;
      match(prompts[0].name, /^odd__ask_me_[0-9a-f]{8}$/);
      deepEqual({ ...prompts[0], name: 'ask.me' }, prompt);
      for (const [at, name] of ['ask.me', 'plain'].entries()) {
        const args = { q: '1' };
        const get = { name: prompts[at].name, arguments: args };
        const { result } = await hub.request('prompts/get', get);
        deepEqual(result['x/got'], { name, arguments: args });
        equal(result._meta['x/kept'], true);
      }
      const { error } = await hub.request('prompts/get', { name: 'odd_none' });
      equal(error?.code, -32602);
    });

    test('come whole, however many pages they have', async t => {
      const names = Array.from({ length: 250 }, (_, index) => `tool-${index}`);
      const odd = oddHubServer(t, { tools: names.map(plainTool), pageSize: 10 });
      const { hub } = await exposing(t, era, { odd });
      deepEqual(
        (await exposedTools(hub)).map(({ name }) => name),
        names.map(name => `odd__${name}`),
      );
      equal(odd.recorded.count('tools/list'), 25);
      await exposedTools(hub);
      equal(odd.recorded.count('tools/list'), 25);
    });

    test('come though another server does not say what it offers', async t => {
      const well = oddHubServer(t, { tools: [plainTool('plain')] });
      const hanging = oddHubServer(t, { tools: [plainTool('plain')], hangsIn: 'tools/list' });
      const { hub } = await exposing(t, era, { hanging, well });
      deepEqual(
        (await exposedTools(hub)).map(({ name }) => name),
        ['well__plain'],
      );
      match(hub.stderr, /hanging: It did not answer tools\/list within 10 seconds\./);
      // Whoever asks again does not wait again.
      equal((await exposedTools(hub)).length, 1);
      equal(hanging.recorded.count('tools/list'), 1);
      // It is the list that hangs, and nothing else of it.
      equal((await hub.call('hanging__plain')).result.content[0].text, 'plain');
    });
  });
}

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

test('the reference servers are exposed whole', { concurrency: true }, async t => {
  const servers = { every: everythingServer(t), files: filesystemServer(t) };
  const { hub, folder } = await exposing(t, 'legacy', servers);
  const names = (await exposedTools(hub)).map(({ name }) => name);
  ok(names.includes('every__get-sum') && names.includes('files__list_allowed_directories'));
  const sum = await hub.call('every__get-sum', { a: 1, b: 2 });
  match(sum.result.content[0].text, /3/);
  const allowed = await hub.call('files__list_allowed_directories');
  ok(allowed.result.content[0].text.includes(folder));
  const { resources } = (await hub.request('resources/list')).result;
  const uri = resources.map((one: { uri: string }) => one.uri).find(isOfEverything);
  const { contents } = (await hub.request('resources/read', { uri })).result;
  equal(contents[0].uri, uri);
  notEqual(contents[0].text ?? contents[0].blob, undefined);
  const { prompts } = (await hub.request('prompts/list')).result;
  ok(prompts.some(({ name }: Named) => name === 'every__simple-prompt'));
  const { messages } = (await hub.request('prompts/get', { name: 'every__simple-prompt' })).result;
  equal(messages.length, 1);
});

function isOfEverything(uri: string): boolean {
  return uri.startsWith('every+');
}

/** A hub that exposes these servers, and its client, which shares one folder with `a.txt`. */
async function exposing(t: TestContext, era: Era, servers: Servers) {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const config = configOf(servers);
  const args = ['--expose', 'tools'];
  return { folder, hub: await HubWire.start(t, { era, config, roots: [folder], args }) };
}

/** The tools that are not of the hub itself. */
async function exposedTools(hub: HubWire): Promise<readonly Named[]> {
  const { result } = await hub.request('tools/list');
  return result.tools.filter(({ name }: Named) => name.includes('__'));
}

/** What a modern call has to hold so that the hub does not ask for the roots first. */
async function rootsGiven(hub: HubWire): Promise<object> {
  const asked = await hub.answerTo(hub.begin('tools/call', { name: 'get-roots', arguments: {} }));
  const { resultType, inputRequests, requestState } = asked.result;
  return resultType === 'input_required' ? hub.answersFor(inputRequests, requestState) : {};
}
