import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type Root, RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

// A server as most are today: made with the older SDK, asks at its start and after each notice, and
// keeps what it was told. It is a program: its argument holds the record folder, as JSON.

const { record } = JSON.parse(process.argv[2] ?? '{}') as { record: string };
const received = join(record, `${process.pid}.received`);
writeFileSync(received, '');
process.stdin.on('data', chunk => appendFileSync(received, chunk));
process.stdin.on('end', () => process.exit(0));

let known: readonly Root[] | undefined;
const server = new McpServer({ name: 'legacy', version: '1' });

server.registerTool('known-roots', {}, () => ({
  content: [{ type: 'text', text: JSON.stringify(known) }],
}));
server.registerTool('ask', {}, async () => {
  const { roots } = await server.server.listRoots();
  return { content: [{ type: 'text', text: JSON.stringify(roots) }] };
});
server.registerTool('grow', {}, () => {
  server.registerTool('grown', {}, () => ({ content: [] }));
  return { content: [] };
});
server.server.oninitialized = () => void refresh();
server.server.setNotificationHandler(RootsListChangedNotificationSchema, refresh);
await server.connect(new StdioServerTransport());

async function refresh(): Promise<void> {
  if (server.server.getClientCapabilities()?.roots) {
    known = (await server.server.listRoots()).roots;
  }
}
