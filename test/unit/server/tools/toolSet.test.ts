import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Limiter } from '../../../../src/base/limiter.ts';
import { handlerOf } from '../../../../src/server/callHandler.ts';
import { PinnedRoots } from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../../src/server/roots/rootsView.ts';
import type { SessionRoots } from '../../../../src/server/sessionRoots.ts';
import { registerTools } from '../../../../src/server/tools/index.ts';
import { plainSchema, ToolSet } from '../../../../src/server/tools/toolSet.ts';
import { thisPlatform } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const schema = z.object({ path: z.string(), limit: z.int().min(1).max(9).default(5) });

test('a plain schema is written as JSON without its dialect, and is the same otherwise', () => {
  for (const io of ['input', 'output'] as const) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    assert.match($schema ?? '', /2020-12/);
    assert.deepEqual(plainSchema(schema, io), rest);
  }
});

test('a call that names no tool, or arguments that are none, is refused in words', async () => {
  const call = callerOf(false);
  const refusal = async (params: Record<string, unknown>) => {
    const { code, message } = await call(params).catch(error => error);
    return [code, message];
  };
  assert.deepEqual(await refusal({ name: 5 }), [
    -32602,
    'Invalid request: "params.name" must be a text.',
  ]);
  assert.deepEqual(await refusal({ name: 'toString', arguments: [] }), [
    -32602,
    'Invalid request: "params.arguments" must be an object.',
  ]);
  assert.deepEqual(await refusal({ name: 'toString' }), [-32602, 'Tool toString not found']);
  assert.deepEqual(await refusal({ name: 'write-file' }), [
    -32602,
    'Tool write-file not found: this server only reads. Who set it up can let it write: with --allow-write, or by a setting of MCP Roots.',
  ]);
  const [, madeUp] = await refusal({ name: `no\n\u202e${'x'.repeat(100_000)}` });
  assert.match(String(madeUp), /^Tool no\\u000a\\u202ex{196} not found$/);
});

test('mistakes in arguments are said in words, each at its place', async () => {
  const call = callerOf(true);
  const said = async (name: string, args: object) => {
    const { isError, content } = await call({ name, arguments: args });
    assert.equal(isError, true);
    return content[0]?.text.replace(`Invalid arguments for ${name}: `, '');
  };
  assert.equal(await said('read-file', {}), '"path" is missing.');
  assert.equal(
    await said('list-directory', { path: null, depth: 1.5, limit: 'x', details: 1, exclude: '*' }),
    '"path" must be a text. "depth" must be a whole number. "details" must be true or false. "exclude" must be a list. "limit" must be a number.',
  );
  assert.equal(
    await said('list-directory', { depth: 0, limit: 9999, exclude: Array(101).fill('*') }),
    '"depth" must be at least 1. "exclude" must hold at most 100. "limit" must be at most 2000.',
  );
  assert.equal(
    await said('edit-file', { path: 'a', edits: [5, { oldText: 'b', newText: 'c', 'All\n': 1 }] }),
    '"edits[0]" must be an object. There is no argument "edits[1].All\\n"; there are: oldText, newText, replaceAll.',
  );
  assert.equal(
    await said('get-roots', { [`a${'\u202e'.repeat(1000)}`]: 1, b: 2 }),
    `There is no argument "a${'\\u202e'.repeat(99)}", "b"; there are: none.`,
  );
});

test('searches that wait keep no other call waiting', async () => {
  const searches = new Limiter({ running: 1 });
  searches.pause();
  const call = callerOf(false, searches);
  const found = call({ name: 'find-files', arguments: { pattern: '*', path: '/nowhere' } });
  assert.notEqual((await call({ name: 'get-roots' })).isError, true);
  searches.resume();
  assert.equal((await found).isError, true);
});

test('a client that may not hear of the roots hears of none: no list names them', async t => {
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
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error: assert.fail };
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
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error: assert.fail };
  const limiter = new Limiter({ running: 1 });
  registerTools(new ToolSet(server, { roots, logger, limiter }, allowWrite), searches);
  const { signal } = new AbortController();
  const context = { mcpReq: { requestState: () => undefined, signal } } as unknown as ServerContext;
  const handler = handlerOf(server, 'tools/call');
  return async params =>
    (await handler?.({ method: 'tools/call', params }, context)) as unknown as Answer;
}
