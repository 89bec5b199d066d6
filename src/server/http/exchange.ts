import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../base/logger.ts';

/** One HTTP request in the SDK's form, and the JSON of its body. */
export interface Exchange {
  /** The request without its body. Its signal is aborted when the HTTP response is closed. */
  readonly request: Request;
  /** The JSON of the body. `undefined`: the method has no body. */
  readonly body: unknown;
}

/** Builds the SDK's request, without a body, from a request of Node. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const over = new AbortController();
  const headers = new Headers(
    Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );
  const forms = incoming.method === 'GET' ? [streamType] : ['application/json', streamType];
  if (forms.some(form => takes(form, headers))) {
    // The SDK requires both media types in `Accept`. So a missing type is added with `q=0`.
    const named = forms.map(form => (takes(form, headers) ? form : `${form};q=0`));
    headers.set('accept', named.join(', '));
  }
  const request = new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method: incoming.method ?? 'GET',
    headers,
    signal: over.signal,
  });
  outgoing.once('close', () => {
    // This reference keeps the request from being garbage-collected, which would silence its signal.
    if (!request.signal.aborted) {
      over.abort();
    }
  });
  return request;
}

/** The media type of a stream of messages. */
export const streamType = 'text/event-stream';

/** Whether a client accepts a media type. A client without an Accept header accepts all. (RFC 9110, 12.5.1.) */
export function takes(form: string, headers: Headers): boolean {
  const accept = headers.get('accept')?.trim().toLowerCase() || '*/*';
  const ranges = accept.split(',').filter(range => !/;\s*q=0(?:\.0*)?\s*$/.test(range));
  const names = ranges.map(range => range.split(';')[0]?.trim());
  return [form, form.replace(/\/.*/, '/*'), '*/*'].some(name => names.includes(name));
}

/**
 * Sends an answer. Sends a stream's head immediately, even if the first event takes long. Takes
 * parts from the source without waiting for the client, because only the response counts unread
 * bytes. Calls `onPart` after each part.
 * @throws the errors of the source.
 */
export async function send(
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  onPart: () => void,
): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  let part = await reader.read();
  while (!part.done && !outgoing.destroyed) {
    outgoing.write(part.value);
    onPart();
    part = await reader.read();
  }
  outgoing.end();
}

/** If all answers together have more than `most` unread bytes, ends the answer with the most. */
export function boundUnread(
  answers: ReadonlySet<ServerResponse>,
  most: number,
  logger: Logger,
): void {
  const open = [...answers].filter(({ destroyed }) => !destroyed);
  const total = open.reduce((sum, { writableLength }) => sum + writableLength, 0);
  if (total > most) {
    const slowest = open.reduce((a, b) => (b.writableLength > a.writableLength ? b : a));
    logger.warn(
      `Clients have left ${total} bytes of answers unread. The limit is ${most} bytes. ` +
        `The server ended the connection with ${slowest.writableLength} unread bytes.`,
    );
    slowest.destroy();
  }
}

/** Returns a response with a JSON-RPC error that refuses a request, in finished sentences. */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32_000,
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}
