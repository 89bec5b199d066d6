import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { type Root, RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from './processes.ts';
import { sendPage } from './rawHttpServer.ts';

/** How a request is answered instead; `true`: it was. */
export type Refuse = (request: IncomingMessage, response: ServerResponse) => boolean;

export type SseServer = Awaited<ReturnType<typeof sseServer>>;

/** A server of revision 2024-11-05 over HTTP with SSE, made with the older SDK. */
export async function sseServer(t: TestContext, refuse: Refuse = () => false) {
  /** What came in, as `POST /sse`, with its headers. */
  const requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** The answers it got: at its start and after each notice. */
  const told: Root[][] = [];
  const streams = new Set<ServerResponse>();
  const sessions = new Map<string, { transport: SSEServerTransport; server: McpServer }>();
  const open = async (response: ServerResponse) => {
    const transport = new SSEServerTransport('/messages', response);
    const server = new McpServer({ name: 'sse', version: '1' });
    const ask = async () => {
      // The client may have left before the answer.
      const answer = await server.server.listRoots().catch(() => undefined);
      told.push(...(answer ? [answer.roots] : []));
    };
    server.registerTool('ask', {}, async () => {
      const { roots } = await server.server.listRoots();
      return { content: [{ type: 'text', text: JSON.stringify(roots) }] };
    });
    server.registerTool('hang', {}, () => new Promise(() => {}));
    server.server.oninitialized = () => void ask();
    server.server.setNotificationHandler(RootsListChangedNotificationSchema, ask);
    sessions.set(transport.sessionId, { transport, server });
    streams.add(response);
    response.once('close', () => {
      streams.delete(response);
      sessions.delete(transport.sessionId);
    });
    // Its types do not hold under `exactOptionalPropertyTypes` and the like.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const line = `${request.method} ${pathname}`;
    requests.push({ line, headers: request.headers });
    const session = sessions.get(searchParams.get('sessionId') ?? '');
    if (refuse(request, response)) {
      return;
    }
    if (line === 'GET /sse') {
      void open(response);
    } else if (line === 'POST /messages' && session) {
      void session.transport.handlePostMessage(request, response);
    } else {
      sendPage(response, 404);
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  /** Goes away at once, with all connections. */
  const vanish = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve()).closeAllConnections();
    });
  atEnd(t, vanish);
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/sse`,
    requests,
    told,
    streams,
    /** Says that its tools are others now. */
    changeTools: () =>
      sessions.forEach(({ server: { server } }) => void server.sendToolListChanged()),
    vanish,
  };
}
