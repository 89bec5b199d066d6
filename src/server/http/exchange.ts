import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/** One request over HTTP, as the SDK takes it, and the JSON that was sent with it. */
export interface Exchange {
  /** Without its body. Its signal is aborted once the exchange is over. */
  readonly request: Request;
  /** `undefined` where the method has none. */
  readonly body: unknown;
}

/** The request of an exchange. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const over = new AbortController();
  const headers = new Headers(
    Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );
  // In the place of what a client may have sent under that name.
  headers.set(connectionHeader, `${incoming.socket.remoteAddress}:${incoming.socket.remotePort}`);
  const request = new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method: incoming.method ?? 'GET',
    headers,
    signal: over.signal,
  });
  outgoing.once('close', () => {
    // Naming the request here keeps it from being collected, after which its signal would be silent.
    if (!request.signal.aborted) {
      over.abort();
    }
  });
  return request;
}

const connectionHeader = 'mcp-roots-connection';

/** A name for the TCP connection of a request: the closest thing to a client there. */
export function connectionOf({ headers }: Request): string | undefined {
  return headers.get(connectionHeader) ?? undefined;
}

/** Sends the answer; a stream begins at once, however long its first event takes. */
export function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  pipeline(Readable.fromWeb(response.body), outgoing, () => {
    // The signal of the request tells how it ended.
  });
}

/** The answer to a request that is not served: a status, why, in finished sentences, and a code of JSON-RPC. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32_000,
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}
