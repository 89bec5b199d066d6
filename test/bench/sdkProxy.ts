import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

// A proxy in twenty lines of the SDK: it passes on the tools of the server that its arguments
// start. It knows nothing of roots, consent or paths. Gateway and hub must not be slower.

const [command = '', ...args] = process.argv.slice(2);
const client = new Client({ name: 'proxy', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
serveStdio(() => {
  const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => client.listTools(params));
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
  return server;
});
