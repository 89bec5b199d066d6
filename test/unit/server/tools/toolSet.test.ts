import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Limiter } from '../../../../src/base/limiter.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { handlerOf } from '../../../../src/server/callHandler.ts';
import { type ArgumentSchema, fittedArguments } from '../../../../src/server/fittedArguments.ts';
import { PinnedRoots } from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../../src/server/roots/rootsView.ts';
import type { SessionRoots } from '../../../../src/server/sessionRoots.ts';
import { registerTools } from '../../../../src/server/tools/index.ts';
import { plainSchema, ToolSet } from '../../../../src/server/tools/toolSet.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { thisPlatform } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';
import { said } from '../../../support/texts.ts';

const logger = { ...noLogger, error: assert.fail };
const schema = z.object({ path: z.string(), limit: z.int().min(1).max(9).default(5) });

test('writes a plain schema as JSON without its dialect, otherwise unchanged', () => {
  for (const io of ['input', 'output'] as const) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    assert.match($schema ?? '', /2020-12/);
    assert.deepEqual(plainSchema(schema, io), rest);
  }
});

test("refuses a call without a tool's name or with arguments that are not an object", async () => {
  const call = callerOf(false);
  for (const [params, message] of [
    [{ name: 5 }, /"params\.name" must be/],
    [{ name: 'toString', arguments: [] }, /"params\.arguments" must be/],
    [{ name: 'toString' }, /^Tool toString not found$/],
    [{ name: 'write-file' }, /^Tool write-file not found: .* --allow-write/],
    [{ name: `no\n\u202e${'x'.repeat(100_000)}` }, /^Tool no\\u000a\\u202ex{196} not found$/],
  ] as const) {
    await assert.rejects(call(params), { code: -32602, message });
  }
});

test('names mistakes in arguments in words, each at its place', async () => {
  const call = callerOf(true);
  const long = `a${'\u202e'.repeat(1000)}`;
  const cases: readonly (readonly [tool: string, args: object, mistakes: readonly string[]])[] = [
    ['read-file', {}, ['"path" missing']],
    [
      'list-directory',
      { path: 5, depth: 1.5, limit: 'x', details: 1, exclude: 5 },
      ['"path" text', '"depth" number', '"details" false', '"exclude" list', '"limit" number'],
    ],
    [
      'list-directory',
      { depth: 0, limit: 9999, exclude: Array(101).fill('*') },
      ['"depth" 1', '"exclude" 100', '"limit" 2000'],
    ],
    [
      'edit-file',
      { path: 'a', edits: [5, { oldText: 'b', newText: 'c', 'All\n': 1 }] },
      ['"edits[0]" object', '"edits[1].All\\n" oldText, newText, replaceAll'],
    ],
    ['create-directory', { path: 'a', [long]: 1 }, [`"a${'\\u202e'.repeat(99)}" path`]],
    [
      'read-file',
      { path: 'a', offset: 1, toolCallId: 'x' },
      ['"offset" path, head, tail, startLine, endLine'],
    ],
  ];
  for (const [name, args, mistakes] of cases) {
    const { isError, content } = await call({ name, arguments: args });
    const text = content[0]?.text.replace(`Invalid arguments for ${name}: `, '') ?? '';
    // The place in each sentence, and the expected text.
    const found = [
      ...text
        .replaceAll('unknown. Known arguments:', 'unknown:')
        .matchAll(/(".*?");? [^"]*?((?:\w+, )*\w+)\.(?= |$)/g),
    ];
    assert.deepEqual([isError, found.map(([, at, what]) => `${at} ${what}`)], [true, mistakes]);
  }
});

test('takes arguments in another form with the same meaning', () => {
  const schema = plainSchema(
    z.strictObject({
      text: z.string(),
      count: z.int().default(1),
      isOn: z.boolean().default(false),
      globs: z.array(z.string()).default([]),
      edits: z.array(z.strictObject({ from: z.string(), all: z.boolean().optional() })).optional(),
      all: z.looseObject({}).optional(),
    }),
    'input',
  ) as ArgumentSchema;
  const forms: readonly (readonly [sent: JsonObject, taken: JsonObject])[] = [
    [{ text: null, count: null, isOn: null, globs: null, all: null }, { text: null }],
    [
      { text: '{"a":1}', count: '2', isOn: 'true' },
      { text: '{"a":1}', count: '2', isOn: 'true' },
    ],
    [{ globs: '*.log' }, { globs: ['*.log'] }],
    [{ globs: '["a","b"]' }, { globs: ['a', 'b'] }],
    [{ edits: { from: 'a', all: null } }, { edits: [{ from: 'a' }] }],
    [{ edits: '{"from":"a"}' }, { edits: [{ from: 'a' }] }],
    [{ edits: '[{"from":"1"}]' }, { edits: [{ from: '1' }] }],
    [{ edits: ['{"from":"a"}'] }, { edits: [{ from: 'a' }] }],
    [{ all: '{"a":null}' }, { all: { a: null } }],
    [
      { all: 'x', edits: 5, globs: 5, x: null },
      { all: 'x', edits: 5, globs: 5, x: null },
    ],
    [{ all: '['.repeat(2000) + ']'.repeat(2000) }, { all: '['.repeat(2000) + ']'.repeat(2000) }],
  ];
  for (const [sent, args] of forms) {
    assert.deepEqual(fittedArguments(sent, schema), { args, note: '' });
  }
});

test('a reading tool ignores and reports extra arguments; other tools refuse them', async () => {
  const call = callerOf(true);
  const added = { toolCallId: 'call_1', _meta: {}, '': 'x' };
  const { isError, content } = await call({ name: 'get-roots', arguments: added });
  assert.notEqual(isError, true);
  assert.equal(
    said(content.at(-1)?.text ?? ''),
    'fittedArguments.fittedArguments("toolCallId", "_meta", "", none)',
  );
  const refused = await call({ name: 'create-directory', arguments: { path: 'a', ...added } });
  assert.match(refused.content[0]?.text ?? '', /"toolCallId"/);
  assert.notEqual((await call({ name: 'get-roots', arguments: null })).isError, true);
});

test('waiting searches delay no other call', async () => {
  const searches = new Limiter({ running: 1 });
  searches.pause();
  const call = callerOf(false, searches);
  const found = call({ name: 'find-files', arguments: { pattern: '*', path: '/nowhere' } });
  assert.notEqual((await call({ name: 'get-roots' })).isError, true);
  searches.resume();
  assert.equal((await found).isError, true);
});

test('never shows roots to a client that may not see them', async t => {
  const folder = tempFolder(t);
  const given = new PinnedRoots([{ uri: pathToFileURL(folder).href }], thisPlatform);
  const sources = new RootSources({ roots: given, withoutRoots: 'deny' }, thisPlatform);
  const view = viewWithoutRoots('legacy', sources);
  assert.equal(view.folders.scope.inPlace().length, 1);
  const { server } = new McpServer({ name: 'a', version: '1' }, { capabilities: { tools: {} } });
  const onDidChange = (listener: (view: RootsView) => void) => {
    setImmediate(() => listener(view));
    return { dispose() {} };
  };
  const roots = { onDidChange } as unknown as SessionRoots;
  const limiter = new Limiter({ running: 1 });
  registerTools(new ToolSet(server, { roots, logger, limiter }, true), limiter);
  await new Promise(resolve => setImmediate(resolve));
  const context = {} as ServerContext;
  const listed = await handlerOf(server, 'tools/list')?.({ method: 'tools/list' }, context);
  const tools = listed?.['tools'];
  assert.ok(Array.isArray(tools) && tools.length > 10);
  assert.equal(JSON.stringify(listed).includes(JSON.stringify(folder).slice(1, -1)), false);
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
    assert.equal(handlerOf(server, method), undefined);
  }
});

interface Answer {
  readonly isError: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** Calls the bundled tools of a session without a client. */
function callerOf(
  allowWrite: boolean,
  searches = new Limiter({ running: 1 }),
): (params: Record<string, unknown>) => Promise<Answer> {
  const { server } = new McpServer(
    { name: 'calls', version: '1' },
    { capabilities: { tools: {} } },
  );
  const view = viewWithoutRoots('legacy', new RootSources({ withoutRoots: 'allow' }, 'linux'));
  const roots = {
    onDidChange: () => ({ dispose() {} }),
    use: async (_context: unknown, work: (view: RootsView) => unknown) => work(view),
  } as unknown as SessionRoots;
  const limiter = new Limiter({ running: 1 });
  registerTools(new ToolSet(server, { roots, logger, limiter }, allowWrite), searches);
  const { signal } = new AbortController();
  const context = { mcpReq: { requestState: () => undefined, signal } } as unknown as ServerContext;
  const handler = handlerOf(server, 'tools/call');
  return async params =>
    (await handler?.({ method: 'tools/call', params }, context)) as unknown as Answer;
}
