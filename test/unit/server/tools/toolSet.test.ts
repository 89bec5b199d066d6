import assert from 'node:assert/strict';
import { test } from 'node:test';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Limiter } from '../../../../src/base/limiter.ts';
import { handlerOf } from '../../../../src/server/callHandler.ts';
import type { SessionRoots } from '../../../../src/server/sessionRoots.ts';
import { registerTools } from '../../../../src/server/tools/index.ts';
import { plainSchema, ToolSet } from '../../../../src/server/tools/toolSet.ts';

const schema = z.object({ path: z.string(), limit: z.int().min(1).max(9).default(5) });

test('a plain schema is written as JSON without its dialect, and is the same otherwise', () => {
  for (const io of ['input', 'output'] as const) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io });
    assert.match($schema ?? '', /2020-12/);
    assert.deepEqual(plainSchema(schema, io), rest);
  }
});

test('a call that names no tool, or arguments that are none, is refused in words', async () => {
  const { server } = new McpServer(
    { name: 'calls', version: '1' },
    { capabilities: { tools: {} } },
  );
  const roots = { onDidChange: () => ({ dispose() {} }) } as unknown as SessionRoots;
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error: assert.fail };
  const limiter = new Limiter({ running: 9 });
  registerTools(new ToolSet(server, { roots, logger, limiter }, false), limiter);
  const context = { mcpReq: { requestState: () => undefined } } as unknown as ServerContext;
  const refusal = async (params: Record<string, unknown>) => {
    const call = handlerOf(server, 'tools/call')?.({ method: 'tools/call', params }, context);
    const { code, message } = await (call as Promise<never>).catch(error => error);
    return [code, message];
  };
  assert.deepEqual(await refusal({ name: 5 }), [
    -32602,
    'Invalid request: params.name has to be a string.',
  ]);
  assert.deepEqual(await refusal({ name: 'toString', arguments: [] }), [
    -32602,
    'Invalid request: params.arguments has to be an object.',
  ]);
  assert.deepEqual(await refusal({ name: 'toString' }), [-32602, 'Tool toString not found']);
  assert.deepEqual(await refusal({ name: 'write-file' }), [
    -32602,
    'Tool write-file not found: this server only reads. Who set it up can let it write: with --allow-write, or by a setting of MCP Roots.',
  ]);
  const [, madeUp] = await refusal({ name: `no\n\u202e${'x'.repeat(100_000)}` });
  assert.match(String(madeUp), /^Tool no\\u000a\\u202ex{196} not found$/);
});
