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

export interface SseServer {
  readonly url: string;
  readonly port: number;
  /** What came in, as `POST /sse`, with its headers. */
  readonly requests: readonly {
    readonly line: string;
    readonly headers: IncomingMessage['headers'];
  }[];
  /** What it was told, each time it asked: at its start and after each notice. */
  readonly told: readonly (readonly Root[])[];
  /** The streams of its sessions. */
  readonly streams: ReadonlySet<ServerResponse>;
  /** Writes this as an event on every stream. */
  readonly push: (data: string) => void;
  /** Says that its tools are others now. */
  readonly changeTools: () => void;
  /** Goes away at once, with all connections. */
  readonly vanish: () => Promise<void>;
}

/** A server of revision 2024-11-05 over HTTP with SSE, made with the older SDK. */
export async function sseServer(
  t: TestContext,
  refuse: Refuse = () => false,
  port = 0,
): Promise<SseServer> {
  const requests: SseServer['requests'][number][] = [];
  const told: Root[][] = [];
  const streams = new Set<ServerResponse>();
  const sessions = new Map<string, { transport: SSEServerTransport; server: McpServer }>();
  const open = async (response: ServerResponse) => {
    const transport = new SSEServerTransport('/messages', response);
    const server = new McpServer({ name: 'sse', version: '1' });
    const ask = async () => {
      // It may have been left by the time of the answer.
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
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const vanish = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve()).closeAllConnections();
    });
  atEnd(t, vanish);
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/sse`,
    port: address.port,
    requests,
    told,
    streams,
    push: data => streams.forEach(stream => void stream.write(`event: message\ndata: ${data}\n\n`)),
    changeTools: () =>
      sessions.forEach(({ server: { server } }) => void server.sendToolListChanged()),
    vanish,
  };
}
