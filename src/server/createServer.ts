import { McpServer } from '@modelcontextprotocol/server';
import type { Era } from './rootsView.ts';
import type { ServerOptions } from './serverOptions.ts';
import { createSessionRoots } from './sessionRoots.ts';
import { registerTools } from './tools/index.ts';
import { ToolSet } from './tools/toolSet.ts';
import { version } from './version.ts';

const instructions =
  'Serves files in the folders (roots) that the user shares with it, and nothing else. ' +
  'Call get-roots to see them; relative paths start in the first one.';

/** Builds the server of one session. What it keeps ends with the session. */
export function createServer(era: Era, options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'mcp-roots', title: 'MCP Roots', version },
    // A change of the roots changes every description, and is one change.
    { instructions, debouncedNotificationMethods: ['notifications/tools/list_changed'] },
  );
  const roots = createSessionRoots(server, era, options);
  registerTools(new ToolSet(server, { roots, ...options }), options);
  server.server.onclose = () => roots.dispose();
  return server;
}
