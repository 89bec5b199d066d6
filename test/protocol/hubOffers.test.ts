import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { offeredName } from '../../src/domain/hubConfig/offeredNames.ts';
import { askUntil } from '../support/askUntil.ts';
import { verdictsIn } from '../support/auditLines.ts';
import { configOf, filesystemServer, oddHubServer, plainTool } from '../support/hubServers.ts';
import { HubWire } from '../support/hubWire.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { type Era, eras } from '../support/wire.ts';

type Listed = { readonly name: string } & Readonly<Record<string, unknown>>;

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

/** Of an older revision, of a later one, or made up: it stands beside what is checked. */
const beside = {
  path: '/etc/passwd',
  cwd: '/etc/cron.d',
  task: { path: '/etc/shadow' },
  ref: 'file:///etc/hosts',
  '../../etc/group': 1,
  inner: { cwd: '/etc/cron.d' },
  _meta: { 'com.example/path': 'file:///etc/fstab', progressToken: '/etc/token' },
};

describe('tools that the hub exposes', { concurrency: 2 }, () => {
  test('have distinct names and unchanged schemas', async t => {
    const names = ['rich', 'a.b', 'ünï', 'sláinte/x', 'n'.repeat(300), 'same', 'a b', 'a_b'];
    const tools = names.map(name => ({ ...rich, name }));
    const odd = () => oddHubServer(t, { tools });
    const servers = { 'one.two': odd(), one_two: odd(), 'one two': odd(), ö: odd() };
    const { hub } = await exposing(t, 'modern', configOf(servers));
    const listed = await exposedTools(hub, ({ length }) => length >= 32);
    equal(new Set(listed.map(({ name }) => name)).size, 32);
    // The tasks of the older revisions do not exist in the newest one.
    const { execution: _execution, ...richNow } = rich;
    deepEqual(
      listed.map(tool => ({ ...tool, name: '' })),
      listed.map(() => ({ ...richNow, name: '' })),
    );
    for (const [at, { name }] of listed.entries()) {
      const { result } = await hub.callInRounds(name, { at });
      const { params, pid } = result.structuredContent;
      deepEqual(params, { name: names[at % 8], arguments: { at } });
      const isOf = Object.values(servers).map(({ recorded }) => recorded.pids().includes(pid));
      equal(isOf.indexOf(true), Math.floor(at / 8));
    }
  });

  test('are only those that the configuration leaves in, also after a change', async t => {
    const names = ['get_a', 'delete_a', 'ünï'];
    const odd = oddHubServer(t, { tools: names.map(plainTool) });
    const withTools = (...tools: string[]) => ({
      mcpServers: { odd: { ...odd.definition, tools } },
    });
    const { hub } = await exposing(t, 'legacy', withTools('get_*', '!delete_*'));
    const listed = async () => {
      const { result } = await hub.askInRounds('tools/call', { name: 'list-tools', arguments: {} });
      return result.structuredContent.tools.map(({ name }: Listed) => name);
    };
    const exposed = async () => (await exposedTools(hub)).map(({ name }) => name);
    deepEqual([await exposed(), await listed()], [['odd__get_a'], ['get_a']]);
    const calls = (toolName: string) => [
      hub.callInRounds('call-tool', { serverName: 'odd', toolName }),
      hub.callInRounds(offeredName('odd', toolName), {}),
    ];
    const isRefused = (answers: readonly WireMessage[]) =>
      answers.map(one => one.error !== undefined || one.result.isError === true);
    const sent = await Promise.all(['get_a', 'delete_a', 'Delete_A', 'ünï'].flatMap(calls));
    deepEqual(isRefused(sent), [false, false, ...Array(6).fill(true)]);
    match(
      JSON.stringify(sent[2]),
      /The definition of \\"odd\\" leaves out the tool \\"delete_a\\"/,
    );
    const pids = odd.recorded.pids();

    writeFileSync(hub.configFile, JSON.stringify(withTools('!get_*')));
    await hub.noticesOf('notifications/tools/list_changed', 2);
    deepEqual(await listed(), ['delete_a', 'ünï']);
    const later = await Promise.all(['get_a', 'delete_a'].flatMap(calls));
    deepEqual(isRefused(later), [true, true, false, false]);
    deepEqual(odd.recorded.pids(), pids);
  });

  test('pass on errors and results of their server unchanged, and only fields of the call', async t => {
    const tools = ['fail', 'refuse', 'progress', 'plain'].map(plainTool);
    const odd = oddHubServer(t, { tools });
    const { hub } = await exposing(t, 'modern', configOf({ odd }));
    const issues = JSON.stringify([{ path: ['a'], message: 'Required' }], undefined, 2);
    const errors = [
      { code: -32055, message: 'first\nsecond \u202e\u0007', data: { uri: 'x', list: [null] } },
      { code: -32603, message: `Invalid arguments: ${issues}` },
      { code: 7, message: '', data: null },
    ];
    for (const error of errors) {
      deepEqual((await hub.callInRounds('odd__fail', error)).error, error);
      const args = { serverName: 'odd', toolName: 'fail', toolArgs: error };
      deepEqual((await hub.callInRounds('call-tool', args)).error, error);
    }
    const { content, isError, ...more } = (await hub.callInRounds('odd__refuse')).result;
    deepEqual([content, isError], [[{ type: 'text', text: 'no\n[\n]' }], true]);
    deepEqual(more['x/own'], [null]);

    for (const progressToken of ['mine', 0]) {
      hub.received.length = 0;
      equal(
        (await hub.callInRounds('odd__progress', {}, { _meta: { progressToken } })).error,
        undefined,
      );
      const told = await hub.noticesOf('notifications/progress', 2);
      deepEqual(
        told.map(({ params: { _meta, ...params } }) => params),
        [1, 2].map(progress => {
          return { progress, total: 2, message: `step ${progress}`, progressToken };
        }),
      );
    }

    await hub.callInRounds('odd__plain', { a: 1 }, beside);
    const sent = odd.recorded.messages() as readonly WireMessage[];
    const last = sent.findLast(({ method }) => method === 'tools/call')!;
    // The token is the hub's.
    deepEqual(Object.keys(last.params), ['name', 'arguments', '_meta']);
    deepEqual(Object.keys(last.params._meta), ['progressToken']);
    ok(!odd.recorded.bytes().includes('etc/'));
  });

  for (const era of eras) {
    test(`answer in the form of a ${era} client when the schema is newer`, async t => {
      const outputSchema = { type: 'array', items: { type: 'string' } };
      const tools = [{ ...plainTool('list'), outputSchema }, plainTool('untold')];
      const odd = oddHubServer(t, { tools });
      const { hub } = await exposing(t, era, configOf({ odd }));
      const wrapped = {
        type: 'object',
        properties: { result: outputSchema },
        required: ['result'],
      };
      const isOld = era === 'legacy';
      const [listed] = await exposedTools(hub, ({ length }) => length > 0);
      deepEqual(listed?.['outputSchema'], isOld ? wrapped : outputSchema);
      const answers = async (tool: string, args = {}) =>
        (await hub.callInRounds(tool, args)).result.structuredContent;
      const expected = isOld ? { result: ['a'] } : ['a'];
      deepEqual(await answers('odd__list'), expected);
      deepEqual(await answers('odd__untold'), expected);
      const args = { serverName: 'odd', toolName: 'list' };
      deepEqual(await answers('call-tool', args), expected);
    });
  }

  test('are checked against the roots like calls of call-tool', async t => {
    const files = filesystemServer(t);
    const { hub, folder } = await exposing(t, 'modern', configOf({ files }));
    const read = (path: string) => hub.callInRounds('files__read_text_file', { path });
    // It refuses calls until it has its roots.
    const inside = () => read(join(folder, 'a.txt'));
    const { result: taken } = await askUntil(inside, ({ result }) => result.isError !== true);
    equal(taken.content[0].text, 'a');
    const { result } = await read(join(`${folder}-beside`, 'hostname'));
    equal(result.isError, true);
    match(result.content[0].text, /^Access denied: Path '.*-beside.hostname'/);
    ok(!files.recorded.bytes().includes('hostname'));
  });

  test('are refused with a verdict when their server cannot start', async t => {
    // A name with a blank gets a hash upstream: of what, only the server can tell.
    const missing = { command: 'no-such-program-of-the-test' };
    const { hub, audit } = await exposing(t, 'modern', { mcpServers: { 'my server': missing } });
    const name = offeredName('my server', 'hello');
    const answers = [
      await hub.callInRounds(name),
      await hub.callInRounds('call-tool', { serverName: 'my server', toolName: 'hello' }),
    ];
    const [why] = answers.map(({ result }) => result.content[0].text);
    match(why, /"my server" .* "no-such-program-of-the-test"/);
    deepEqual(
      answers.map(({ result: { isError, content } }) => [isError, content[0].text]),
      [
        [true, why],
        [true, why],
      ],
    );
    deepEqual(
      verdictsIn(audit).map(({ verdict, server, tool, reason }) => [verdict, server, tool, reason]),
      [name, 'hello'].map(tool => ['not-sent', 'my server', tool, why]),
    );
  });
});

test('announces other tools when a server changes them, starts, or is configured', async t => {
  const odd = oddHubServer(t, { tools: ['grow', 'die', 'plain'].map(plainTool) });
  const late = oddHubServer(t, { tools: [plainTool('plain')] });
  const { hub } = await exposing(t, 'legacy', configOf({ odd }));
  // Like a client, it lists them after each notice. A notice may still belong to an earlier change.
  const hears = async (what: () => unknown, expected: readonly string[]) => {
    hub.received.length = 0;
    await what();
    for (let names: readonly string[] = [], count = 1; !isDeepStrictEqual(names, expected); ) {
      const told = await hub.noticesOf('notifications/tools/list_changed', count);
      count = told.length + 1;
      names = (await exposedTools(hub)).map(({ name }) => name);
    }
  };
  const own = ['odd__grow', 'odd__die', 'odd__plain'];
  const edit = (servers: Parameters<typeof configOf>[0]) =>
    writeFileSync(hub.configFile, JSON.stringify(configOf(servers)));
  await hears(() => hub.callInRounds('odd__plain'), own);
  await hears(() => hub.callInRounds('odd__grow'), [...own, 'odd__grown']);
  await hears(() => hub.callInRounds('odd__die').then(() => hub.callInRounds('odd__plain')), own);
  await hears(() => edit({ odd, late }), [...own, 'late__plain']);
  await hears(() => edit({ late }), ['late__plain']);
});

test('announces other tools to a modern client that listens', async t => {
  const odd = oddHubServer(t, { tools: [plainTool('grow')] });
  const { hub } = await exposing(t, 'modern', configOf({ odd }));
  await exposedTools(hub);
  hub.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await hub.noticesOf('notifications/subscriptions/acknowledged');
  await hub.callInRounds('odd__grow');
  await hub.noticesOf('notifications/tools/list_changed');
});

/** A hub that exposes the servers of a configuration; its client shares one folder with `a.txt`. */
async function exposing(t: TestContext, era: Era, config: object) {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const audit = join(tempFolder(t), 'audit.jsonl');
  const args = ['--expose', 'tools', '--audit', audit];
  const hub = await HubWire.start(t, { era, config, roots: [folder], args });
  return { folder, hub, audit };
}

/** The tools except the hub's own; asks again until they fit, if `fits` is given. */
async function exposedTools(
  hub: HubWire,
  fits: (tools: readonly Listed[]) => boolean = () => true,
): Promise<readonly Listed[]> {
  const ask = async (): Promise<readonly Listed[]> => {
    const { result } = await hub.askInRounds('tools/list');
    return result.tools.filter(({ name }: Listed) => name.includes('__'));
  };
  return askUntil(ask, fits);
}
