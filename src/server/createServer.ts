import { McpServer } from '@modelcontextprotocol/server';
import type { Era } from './rootsView.ts';
import { createSessionRoots, type SessionRootsOptions } from './sessionRoots.ts';
import { registerTools } from './tools/index.ts';
import { version } from './version.ts';

const instructions =
  'Serves files in the folders (roots) that the user shares with it, and nothing else. ' +
  'Call get-roots to see them; relative paths start in the first one.';

/** Builds the server of one session. What it keeps ends with the session. */
export function createServer(era: Era, options: SessionRootsOptions): McpServer {
  const server = new McpServer(
    { name: 'mcp-roots', title: 'MCP Roots', version },
    { instructions },
  );
  const roots = createSessionRoots(server, era, options);
  registerTools(server, roots);
  server.server.onclose = () => roots.dispose();
  return server;
}
