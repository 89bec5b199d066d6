import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { type Root, RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { recorded } from './serverProgram.ts';

// A server like most today: made with the older SDK, it asks at its start and after each notice,
// and keeps the answers. A program: its argument holds the record folder, as JSON.

recorded();
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
