import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Limiter } from '../base/limiter.ts';
import { version } from '../base/version.ts';
import type { Era } from '../domain/exposure.ts';
import { isJsonObject } from '../domain/json.ts';
import { isHumanError } from '../domain/sentence.ts';
import { handlerOf, type RawHandler, setCallHandler } from './callHandler.ts';
import type { Answerer, Hub, HubHost, HubSession, RawRequest, RawResult } from './hubHost.ts';
import { asItCame } from './requestContext.ts';
import { createSessionRoots, type SessionRootsOptions } from './sessionRoots.ts';
import { refused } from './tools/answers.ts';
import { registerTools } from './tools/index.ts';
import { readCall, ToolSet } from './tools/toolSet.ts';

/** Options and parts that all sessions of a process share. */
export interface ServerOptions extends SessionRootsOptions {
  /** Whether the tools that write are offered. */
  readonly allowWrite: boolean;
  /** The queue of searches. */
  readonly searches: Limiter;
  /** The queue of calls. */
  readonly limiter: Limiter;
  /** The hub with the servers behind this one. `undefined`: there is no hub. */
  readonly hub: Hub | undefined;
}

const instructions =
  'This server serves files in the folders (roots) that the user shares with it, and nothing else. ' +
  'Call get-roots to list these folders. Relative paths start in the first folder.';

const hubInstructions =
  ' The server is also a hub for other servers: see list-servers and list-tools, and use call-tool.';

/** Builds the server of one session. Its state ends with the session. */
export function createServer(era: Era, options: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'mcp-roots', title: 'MCP Roots', version },
    {
      instructions: options.hub ? instructions + hubInstructions : instructions,
      inputRequired: { roundTimeoutMs: longestAnswer },
    },
  );
  furnish(server, era, options);
  return server;
}

/** The longest wait for the answer to a question, in milliseconds. The person may be away. */
const longestAnswer = 30 * 60_000;

/** Gives a server the roots and tools of one session. Call this before the server connects. */
export function furnish(server: McpServer, era: Era, options: ServerOptions): void {
  const { server: protocol } = server;
  // The list of tools never changes and names no root, so every client may read the list.
  protocol.registerCapabilities({ tools: { listChanged: false } });
  const roots = createSessionRoots(protocol, era, options);
  registerTools(new ToolSet(protocol, { roots, ...options }, options.allowWrite), options.searches);
  const hub = options.hub && addHub(protocol, options.hub, { era, roots });
  protocol.onclose = () => {
    hub?.dispose();
    roots.dispose();
  };
}

/** Adds a hub to a session. The hub gets each request before the bundled server does. */
function addHub(
  server: McpServer['server'],
  hub: Hub,
  session: Pick<HubHost, 'era' | 'roots'>,
): HubSession {
  const added = hub.newSession({
    ...session,
    capabilities: context =>
      (context?.mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] as
        | ClientCapabilities
        | undefined) ??
      server.getClientCapabilities() ??
      {},
    fitted: (result, outputSchema) => fitted(server, result, outputSchema),
    // A notice fails only if the client has ended the session.
    notify: method => void server.notification({ method }).catch(() => {}),
  });
  server.registerCapabilities(added.capabilities);
  for (const [method, answers] of added.answers) {
    const handler = answeredByHub(method, answers, handlerOf(server, method) ?? notFound);
    if (method === 'tools/call') {
      setCallHandler(server, handler);
    } else {
      server.setRequestHandler(method, { params: asItCame }, (params, context) =>
        handler({ method, params: params as RawRequest['params'] }, context),
      );
    }
  }
  return added;
}

async function notFound(): Promise<never> {
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
}

/** Calls `answers`. A HumanError becomes a tool's result, or an error of invalid parameters. */
function answeredByHub(method: string, answers: Answerer, bundled: RawHandler): RawHandler {
  const isCall = method === 'tools/call';
  return async (request, context) => {
    if (isCall) {
      readCall(request);
    }
    try {
      return await answers(request, context, () => bundled(request, context));
    } catch (error) {
      if (isHumanError(error)) {
        if (isCall) {
          return { ...refused(error.message) };
        }
        throw Object.assign(new Error(error.message), { code: ProtocolErrorCode.InvalidParams });
      }
      // Throws a plain `Error`, because the SDK rewords some errors of its classes and drops their data.
      const { message, code, data } = Object(error) as Partial<ProtocolError>;
      throw Object.assign(new Error(String(message ?? error)), { code, data });
    }
  };
}

function fitted(server: McpServer['server'], result: RawResult, outputSchema: unknown): RawResult {
  const { content, structuredContent } = result;
  if (structuredContent === undefined || !Array.isArray(content)) {
    return result;
  }
  const schema = isJsonObject(outputSchema) ? outputSchema : undefined;
  return { ...server.projectCallToolResult({ ...result, content }, schema) };
}
