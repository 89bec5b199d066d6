import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

// A server of the older SDK that reads by path, and also offers to write, which nobody should call.
// It is a program: its argument says how it behaves.

/** What it does when it is called. */
export type HomemadeBehavior =
  | 'reads-everything'
  | 'asks-in-calls'
  | 'echoes'
  | 'leaks-in-errors'
  | 'hangs-in-calls'
  | 'dies-in-calls';

const behavior = process.argv[2] as HomemadeBehavior;
process.stdin.on('end', () => process.exit(0));

const server = new Server({ name: 'homemade', version: '1' }, { capabilities: { tools: {} } });
const inputSchema = {
  type: 'object' as const,
  properties: { file_path: { type: 'string' } },
  required: ['file_path'],
};
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'write', inputSchema },
    { name: 'read', inputSchema },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
  const path = String(params.arguments?.['file_path']);
  switch (behavior) {
    case 'reads-everything':
      return text(readFileSync(path, 'utf8'));
    case 'asks-in-calls':
      return text((await isShared(path)) ? readFileSync(path, 'utf8') : `No access to ${path}`);
    case 'echoes':
      return text(path);
    case 'leaks-in-errors':
      return { ...text(readFileSync(path, 'utf8')), isError: true };
    case 'hangs-in-calls':
      return new Promise(() => {});
    case 'dies-in-calls':
      return process.exit(4);
  }
});
await server.connect(new StdioServerTransport());

async function isShared(path: string): Promise<boolean> {
  const { roots } = await server.listRoots();
  return roots.some(({ uri }) => path.startsWith(fileURLToPath(uri)));
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
