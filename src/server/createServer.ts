import type { Limiter } from '../base/limiter.ts';
import type { Era } from '../domain/exposure.ts';
import type { Hub } from '../hub/hub.ts';
import { DirectServer } from './directServer.ts';
import { addHub } from './hubHandlers.ts';
import { registerResources } from './resources/registerResources.ts';
import { createSessionRoots, type SessionRootsOptions } from './sessionRoots.ts';
import { registerTools } from './tools/index.ts';
import { ToolSet } from './tools/toolSet.ts';
import { version } from './version.ts';

/** What every session of a server process shares. */
export interface ServerOptions extends SessionRootsOptions {
  /** Whether the tools that write are there. */
  readonly allowWrite: boolean;
  /** Where searches wait for their turn. */
  readonly searches: Limiter;
  /** Where the calls wait that are not run at once. */
  readonly limiter: Limiter;
  /** The servers behind this one; `undefined` for none. */
  readonly hub: Hub | undefined;
}

const instructions =
  'Serves files in the folders (roots) that the user shares with it, and nothing else. ' +
  'Call get-roots to see them; relative paths start in the first one.';

const hubInstructions =
  ' It is a hub for other servers, too: see list-servers and list-tools, and use call-tool.';

/** Builds the server of one session. What it keeps ends with the session. */
export function createServer(era: Era, options: ServerOptions): DirectServer {
  const server = new DirectServer(
    { name: 'mcp-roots', title: 'MCP Roots', version },
    // A change of the roots changes every description, and is one change.
    {
      instructions: options.hub ? instructions + hubInstructions : instructions,
      debouncedNotificationMethods: ['notifications/tools/list_changed'],
    },
    era,
  );
  furnish(server, era, options);
  return server;
}

/** Gives a server that is not connected yet the roots, the tools and the resources of one session. */
export function furnish(server: DirectServer, era: Era, options: ServerOptions): void {
  // The roots of a modern call are known in it alone, so nothing tells of them elsewhere.
  server.server.registerCapabilities({ tools: { listChanged: era === 'legacy' } });
  const roots = createSessionRoots(server, era, options);
  registerTools(new ToolSet(server, { roots, ...options }), options.searches, options.allowWrite);
  registerResources(server, era, { roots, ...options });
  const hub = options.hub && addHub(server, options.hub, { era, roots });
  server.server.onclose = () => {
    server.calls.dispose();
    hub?.dispose();
    roots.dispose();
  };
}
