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
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const request = new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method: incoming.method ?? 'GET',
    headers,
    signal: over.signal,
  });
  outgoing.once('close', () => {
    // That it is named here keeps it from being collected, after which its signal would be silent.
    if (!request.signal.aborted) {
      over.abort();
    }
  });
  return request;
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
