import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/** One request over HTTP, as the SDK takes it, and the JSON that was sent with it. */
export interface Exchange {
  /** Without its body. Its signal is aborted once the exchange is over, whoever ended it. */
  readonly request: Request;
  /** `undefined` where the method has none. */
  readonly body: unknown;
}

/** The request of an exchange. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const over = new AbortController();
  outgoing.once('close', () => over.abort());
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method: incoming.method ?? 'GET',
    headers,
    signal: over.signal,
  });
}

/** All that was sent, or that it was more than `limit` bytes, which are then thrown away. */
export async function readBody(
  incoming: IncomingMessage,
  limit: number,
): Promise<Buffer | 'too long'> {
  if (Number(incoming.headers['content-length']) > limit) {
    return 'too long';
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // Read to its end in any case: to stop would cut the connection, and the answer with it.
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
    } else {
      chunks.length = 0;
    }
  }
  return length > limit ? 'too long' : Buffer.concat(chunks);
}

/** Sends the answer; that of a stream begins at once, however long its first event takes. */
export function send(response: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  pipeline(Readable.fromWeb(response.body), outgoing, () => {
    // How it ended, the signal of the request tells whom it concerns.
  });
}
