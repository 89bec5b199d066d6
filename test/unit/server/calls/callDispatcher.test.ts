import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  InMemoryTransport,
  type InputRequiredResult,
  inputRequired,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { Limiter } from '../../../../src/base/limiter.ts';
import type { Era } from '../../../../src/domain/exposure.ts';
import { DirectServer } from '../../../../src/server/directServer.ts';
import type { RequestContext } from '../../../../src/server/requestContext.ts';
import type { RootsView } from '../../../../src/server/roots/rootsView.ts';
import type { SessionRoots } from '../../../../src/server/sessionRoots.ts';
import { ToolSet } from '../../../../src/server/tools/toolSet.ts';

// What the SDK's own way of answering calls comes to, for the same tools, is what is right.

type Result = CallToolResult | InputRequiredResult;
type Run = (args: Readonly<Record<string, unknown>>, context: RequestContext) => Promise<Result>;

const info = { name: 'calls', version: '1' };
const tools: Readonly<Record<string, { readonly schema: z.ZodObject; readonly run: Run }>> = {
  echo: {
    schema: z.strictObject({ text: z.string(), times: z.int().min(1).max(3).default(1) }),
    run: async args => ({ content: [], structuredContent: args, _meta: { 'own/key': 1 } }),
  },
  told: {
    schema: z.object({}),
    run: async (_args, { mcpReq }) => ({
      content: [
        { type: 'text', text: JSON.stringify([mcpReq.inputResponses, mcpReq.requestState()]) },
        { type: 'text', text: JSON.stringify(mcpReq.droppedInputResponseKeys) ?? 'none' },
        { type: 'text', text: JSON.stringify(mcpReq._meta?.progressToken) ?? 'none' },
      ],
    }),
  },
  asks: {
    schema: z.object({ what: z.enum(['roots', 'form', 'url', 'model', 'tools', 'nothing']) }),
    run: async ({ what }, { mcpReq }) =>
      mcpReq.inputResponses === undefined
        ? inputRequired({ inputRequests: { question: question(String(what)) }, requestState: 's' })
        : { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] },
  },
};

function question(what: string) {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Well?' } }];
  const requestedSchema = { type: 'object' as const, properties: {} };
  switch (what) {
    case 'roots':
      return inputRequired.listRoots();
    case 'form':
      return inputRequired.elicit({ message: 'Well?', requestedSchema });
    case 'url':
      return inputRequired.elicitUrl({ message: 'Well?', url: 'https://example.com' });
    case 'model':
      return inputRequired.createMessage({ messages, maxTokens: 1 });
    default:
      return inputRequired.createMessage({ messages, maxTokens: 1, tools: [] });
  }
}

function theirs(): McpServer {
  const server = new McpServer(info, { capabilities: { tools: {} } });
  for (const [name, { schema, run }] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema: schema }, (args, context) =>
      run(args, context as ServerContext),
    );
  }
  return server;
}

function ours(era: Era): McpServer {
  const server = new DirectServer(info, { capabilities: { tools: {} } }, era);
  let context: RequestContext | undefined;
  const roots = {
    onDidChange: () => ({ dispose() {} }),
    // Tools are given no context of the request, and these look at it.
    use: async (given: RequestContext, work: (view: RootsView) => unknown) => {
      context = given;
      return work({} as RootsView);
    },
  } as unknown as SessionRoots;
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error: assert.fail };
  const set = new ToolSet(server, { roots, logger, limiter: new Limiter({ running: 9 }) });
  for (const [name, { schema, run }] of Object.entries(tools)) {
    const config = { title: name, description: name, inputSchema: schema, annotations: {} };
    set.add(
      name,
      { ...config, outputSchema: z.object({}) },
      args => run(args, context as RequestContext) as Promise<CallToolResult>,
    );
  }
  return server;
}

/** Sends a server requests one by one, and answers what it asks. */
class Asker {
  private readonly here: InMemoryTransport;
  private readonly waiting = new Map<unknown, (message: JSONRPCMessage) => void>();

  constructor(newServer: (era: Era) => McpServer) {
    const [here, there] = InMemoryTransport.createLinkedPair();
    this.here = here;
    here.onmessage = message => this.receive(message);
    serveStdio(({ era }) => newServer(era), { transport: there });
  }

  ask(id: unknown, method: string, params: unknown): Promise<JSONRPCMessage> {
    return new Promise(resolve => {
      this.waiting.set(id, resolve);
      void this.here.send({ jsonrpc: '2.0', id, method, params } as JSONRPCMessage);
    });
  }

  async initialize(capabilities: object): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: info };
    await this.ask('first', 'initialize', params);
    await this.here.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  private receive(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.waiting.get(message.id)?.(message);
    } else if ('id' in message) {
      void this.here.send({ jsonrpc: '2.0', id: message.id, result: said(message.method) });
    }
  }
}

function said(method: string): Record<string, unknown> {
  switch (method) {
    case 'roots/list':
      return { roots: [{ uri: 'file:///proj' }] };
    case 'elicitation/create':
      return { action: 'decline' };
    default:
      return { model: 'm', role: 'assistant', content: { type: 'text', text: 'So.' } };
  }
}

/** Of an error the code, and of a result everything but the words about what is wrong. */
function compared(message: JSONRPCMessage): unknown {
  if ('error' in message) {
    return { code: message.error.code };
  }
  const { result } = message as { readonly result: Readonly<Record<string, unknown>> };
  return result['isError'] ? { ...result, content: 'what is wrong' } : result;
}

const names = ['echo', 'told', 'nope', 'toString', '', 5, undefined];
const someArgs: readonly unknown[] = [
  undefined,
  {},
  { text: 'a' },
  { text: 'a', times: 2 },
  { text: 'a', times: 4 },
  { text: 5 },
  { text: 'a', more: true },
  JSON.parse('{"__proto__":1,"constructor":"x"}'),
  [],
  null,
  'text',
];
const questions = ['roots', 'form', 'url', 'model', 'tools'].map(what => ({ what }));
const tokens = [undefined, 'token', 7];
const retries = [
  {},
  { requestState: 's' },
  { requestState: '' },
  { requestState: 5 },
  { inputResponses: {} },
  { inputResponses: { a: { action: 'accept' }, b: { method: 'm', result: {} }, c: 5, d: [] } },
  { inputResponses: { question: { roots: [] } }, requestState: 's' },
];
const declarations = [
  {},
  { roots: {} },
  { elicitation: {} },
  { elicitation: { url: {} } },
  { elicitation: { form: {}, url: {} } },
  { sampling: {} },
  { sampling: { tools: {} } },
];
const envelope = { [PROTOCOL_VERSION_META_KEY]: '2026-07-28', [CLIENT_CAPABILITIES_META_KEY]: {} };
const envelopes = [
  {},
  { [PROTOCOL_VERSION_META_KEY]: 5 },
  { [PROTOCOL_VERSION_META_KEY]: undefined },
  { [CLIENT_CAPABILITIES_META_KEY]: undefined },
  { [CLIENT_CAPABILITIES_META_KEY]: [] },
  { [CLIENT_CAPABILITIES_META_KEY]: { roots: true } },
  { [CLIENT_CAPABILITIES_META_KEY]: { unknown: true } },
  { [CLIENT_INFO_META_KEY]: info },
  { [CLIENT_INFO_META_KEY]: { name: 'no version' } },
  { [LOG_LEVEL_META_KEY]: 'debug' },
  { [LOG_LEVEL_META_KEY]: 'loud' },
];

function calls(meta: object): object[] {
  return [
    ...names.flatMap(name => someArgs.map(args => ({ name, arguments: args, _meta: meta }))),
    ...tokens.map(progressToken => ({ name: 'told', _meta: { ...meta, progressToken } })),
  ];
}

async function isAnsweredAlike(
  sides: readonly [Asker, Asker],
  id: unknown,
  params: object,
): Promise<void> {
  const [mine, other] = await Promise.all(sides.map(side => side.ask(id, 'tools/call', params)));
  assert.ok(mine && other);
  assert.deepEqual(compared(mine), compared(other), JSON.stringify({ params, mine, other }));
}

describe('calls are answered as by the SDK', () => {
  test('in the older era', async () => {
    for (const declared of declarations) {
      const sides = [new Asker(ours), new Asker(theirs)] as const;
      await Promise.all(sides.map(side => side.initialize(declared)));
      const asking = questions.map(args => ({ name: 'asks', arguments: args }));
      for (const [id, params] of [...calls({}), ...asking].entries()) {
        await isAnsweredAlike(sides, id, params);
      }
    }
  });

  test('in the modern era', async () => {
    const sides = [new Asker(ours), new Asker(theirs)] as const;
    // The first one says which era it is.
    await isAnsweredAlike(sides, 'first', { name: 'told', _meta: envelope });
    const asking = declarations.flatMap(declared =>
      questions.map(args => {
        const meta = { ...envelope, [CLIENT_CAPABILITIES_META_KEY]: declared };
        return { name: 'asks', arguments: args, _meta: meta };
      }),
    );
    const told = [
      ...retries.map(retry => ({ name: 'told', _meta: envelope, ...retry })),
      ...envelopes.map(part => ({ name: 'told', _meta: { ...envelope, ...part } })),
      { name: 'told' },
    ];
    for (const [id, params] of [
      ...calls(envelope),
      ...asking,
      ...told,
      { name: 'told' },
    ].entries()) {
      await isAnsweredAlike(sides, `${id}`, params);
    }
  });
});
