import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import { createGate, mcpPath } from './gate.ts';
import { hostNameOf, type ListenAddress, listenProblem } from './listenAddress.ts';
import { createListener } from './listener.ts';
import { type EndpointOptions, McpEndpoint, type NewServer } from './mcpEndpoint.ts';
import { NodeServer } from './nodeServer.ts';

/** What serving over HTTP takes besides the servers. */
export interface HttpOptions extends ListenAddress, Pick<EndpointOptions, 'onDidChangeList'> {
  readonly logger: Logger;
  readonly after: After;
}

/** A server that listens, with its address for people; or why it does not, in finished sentences. */
export type HttpService =
  | { readonly ok: true; readonly url: string; readonly close: () => Promise<void> }
  | { readonly ok: false; readonly reason: string };

/**
 * Serves MCP over HTTP in both eras. `close` ends all sessions, streams and calls, and settles when
 * no connection is left.
 */
export async function serveHttp(options: HttpOptions, newServer: NewServer): Promise<HttpService> {
  const problem = listenProblem(options);
  if (problem !== undefined) {
    return { ok: false, reason: problem };
  }
  const { logger, after, onDidChangeList } = options;
  const endpoint = new McpEndpoint(newServer, { limits, logger, after, onDidChangeList });
  const serve = endpoint.serve.bind(endpoint);
  const listener = createListener({ gate: createGate(options), serve, logger });
  const server = await NodeServer.create(listener, logger);
  const listening = await server.listen(options);
  if (!listening.ok) {
    return listening;
  }
  const close = async () => {
    await Promise.all([endpoint.close(), server.close(after)]);
  };
  const url = `http://${hostNameOf(options.host)}:${listening.port}${mcpPath}`;
  return { ok: true, url, close };
}

const limits = { count: 100, idle: 30 * 60_000, idleAtFirst: 60_000 };
