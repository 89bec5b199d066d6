import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';

/** A received body, read as a message. */
export type Message = Record<string, unknown> & {
  readonly method?: string;
  readonly id?: number | string;
};

/** How a request is answered instead of as a well-behaved server would; `true`: it was. */
export type Interfere = (
  exchange: { readonly request: IncomingMessage; readonly message: Message | undefined },
  response: ServerResponse,
) => boolean | Promise<boolean>;

export type RawHttpServer = Awaited<ReturnType<typeof rawHttpServer>>;

/**
 * A server of revision 2025-11-25 over HTTP, with sessions and a stream, written by hand.
 *
 * @param port where a server before it was, or any.
 */
export async function rawHttpServer(
  t: Pick<TestContext, 'after'>,
  interfere: Interfere = () => false,
  port = 0,
) {
  /** The requests in order. */
  const requests: {
    readonly method: string;
    readonly headers: IncomingMessage['headers'];
    readonly message: Message | undefined;
  }[] = [];
  /** The streams that clients listen on. */
  const streams = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await readMessage(request);
    const { method = '', headers } = request;
    requests.push({ method, headers, message });
    if (!(await interfere({ request, message }, response))) {
      respond(method, message, response, streams);
    }
  }
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  /** Writes these bytes on every stream. */
  const write = (bytes: string | Buffer) => streams.forEach(stream => void stream.write(bytes));
  /** Goes away at once, with all connections. */
  const vanish = () => close(server);
  atEnd(t, vanish);
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    port: address.port,
    requests,
    streams,
    /** Sends a message, or an invalid one, on every stream. */
    push: (data: object | string) => write(event(data)),
    write,
    /** How many connections are open. */
    sockets: () => sockets.size,
    /** The messages with this method. */
    got: (name: string) =>
      requests.flatMap(({ message }) => (message?.method === name ? [message] : [])),
    vanish,
  };
}

/** As it is written to a stream. */
export function event(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** Answers with one JSON value. */
export function sendJson(response: ServerResponse, status: number, value: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  return true;
}

/** Answers with a page as frameworks and gateways make them. */
export function sendPage(response: ServerResponse, status: number): true {
  const page = '<!DOCTYPE html>\n<html lang="en"><body><pre>Cannot POST /mcp</pre></body></html>\n';
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  return true;
}

/** Answers the probe as a server of the newest revision that has tools. */
export function sendDiscovered(response: ServerResponse, id: Message['id']): true {
  const result = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
  };
  return sendJson(response, 200, { jsonrpc: '2.0', id, result });
}

function respond(
  method: string,
  message: Message | undefined,
  response: ServerResponse,
  streams: Set<ServerResponse>,
): void {
  if (method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    streams.add(response);
    response.once('close', () => streams.delete(response));
  } else if (message?.method === 'initialize') {
    response.setHeader('mcp-session-id', 'session-1');
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'raw', version: '1' },
    };
    sendJson(response, 200, { jsonrpc: '2.0', id: message.id, result });
  } else if (message?.method === 'tools/call') {
    const result = { content: [{ type: 'text', text: 'done' }] };
    sendJson(response, 200, { jsonrpc: '2.0', id: message.id, result });
  } else if (message?.id !== undefined && message.method) {
    const error = { code: -32601, message: 'Method not found' };
    sendJson(response, 200, { jsonrpc: '2.0', id: message.id, error });
  } else {
    response.writeHead(method === 'DELETE' ? 200 : 202).end();
  }
}

async function readMessage(request: IncomingMessage): Promise<Message | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString();
  return text.startsWith('{') ? (JSON.parse(text) as Message) : undefined;
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
