import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../base/logger.ts';

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

/**
 * Sends answers, and bounds the memory that they take while nobody reads them: when they are too much, the
 * connection with the most of them ends.
 */
export class Answers {
  private readonly most: number;
  private readonly logger: Logger;
  /** The bytes that each connection has not taken. */
  private readonly unread = new Map<Socket, number>();
  private total = 0;

  constructor(most: number, logger: Logger) {
    this.most = most;
    this.logger = logger;
  }

  /**
   * Sends an answer; a stream begins at once, however long its first event takes. All that there is is taken
   * from its source, because that counts nothing. @throws what its source throws.
   */
  async send({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
    outgoing.writeHead(status, Object.fromEntries(headers));
    if (body === null) {
      outgoing.end();
      return;
    }
    outgoing.flushHeaders();
    const reader = body.getReader();
    outgoing.once('close', () => void reader.cancel().catch(() => {}));
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const { length } = part.value;
      const { socket } = outgoing.req;
      if (socket.destroyed) {
        // An answer that waits for an earlier one on its connection is not told of the end.
        await reader.cancel();
        return;
      }
      outgoing.write(part.value, () => this.count(socket, -length));
      this.count(socket, length);
    }
    outgoing.end();
  }

  private count(socket: Socket, change: number): void {
    if (socket.destroyed) {
      return; // What it had left was taken off when it closed.
    }
    const before = this.unread.get(socket);
    if (before === undefined) {
      socket.once('close', () => this.forget(socket));
    }
    this.unread.set(socket, (before ?? 0) + change);
    this.total += change;
    if (this.total > this.most) {
      const [slowest, size] = [...this.unread].reduce((a, b) => (b[1] > a[1] ? b : a));
      const why = `${this.total} bytes of answers are unread, and ${this.most} is the most.`;
      this.logger.warn(`${why} The connection that left ${size} of them unread was ended.`);
      this.forget(slowest);
      slowest.destroy();
    }
  }

  private forget(socket: Socket): void {
    this.total -= this.unread.get(socket) ?? 0;
    this.unread.delete(socket);
  }
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
