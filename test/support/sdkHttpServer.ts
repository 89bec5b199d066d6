import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type Root, RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from './processes.ts';

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  readonly ask: () => Promise<void>;
}

/** A server over HTTP as most are today: made with the older SDK, with sessions. */
export async function sdkHttpServer(t: TestContext) {
  /** The answers it got: at its start and after each notice. */
  const told: Root[][] = [];
  const sessions = new Map<string, Session>();
  const newSession = async (): Promise<Session> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, { transport, ask }),
      onsessionclosed: id => void sessions.delete(id),
    });
    const server = new McpServer({ name: 'sdk', version: '1' });
    const ask = async () => void told.push((await server.server.listRoots()).roots);
    server.registerTool('ask', {}, async extra => {
      const roots = await server.server.listRoots(undefined, { relatedRequestId: extra.requestId });
      return { content: [{ type: 'text', text: JSON.stringify(roots.roots) }] };
    });
    server.server.setNotificationHandler(RootsListChangedNotificationSchema, ask);
    // Its types do not hold under `exactOptionalPropertyTypes` and the like.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return { transport, ask };
  };
  const server = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const { transport, ask } = known ?? (await newSession());
    void transport.handleRequest(request, response);
    if (request.method === 'GET') {
      // A question from before the stream is open reaches nobody.
      while (!response.headersSent && !response.closed) {
        await nextTurn();
      }
      await ask();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => void server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    told,
    sessions: () => sessions.size,
  };
}
