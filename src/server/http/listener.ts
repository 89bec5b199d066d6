import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import { GatheredBytes, longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import { isTooDeep, tooDeep } from '../messageDepth.ts';
import { type Exchange, refuse, requestOf, send } from './exchange.ts';
import type { RequestHead } from './gate.ts';

/** What a listener hands requests to. */
export interface ListenerParts {
  /** Refuses a request by its head, before anything of its body is read. */
  readonly gate: (head: RequestHead) => Response | undefined;
  readonly serve: (exchange: Exchange) => Promise<Response>;
  readonly logger: Logger;
}

/** Answers every request that Node brings, whatever happens. */
export function createListener(parts: ListenerParts): RequestListener {
  return (incoming, outgoing) => void respond(parts, incoming, outgoing);
}

async function respond(
  parts: ListenerParts,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    send(await answer(parts, incoming, outgoing), outgoing);
  } catch (error) {
    // Where the client went away, which is the most common reason, nobody is left to be told.
    if (!outgoing.destroyed) {
      parts.logger.error(error instanceof Error ? error : new Error(String(error)));
      giveUp(outgoing);
    }
  }
}

function giveUp(outgoing: ServerResponse): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
  } else {
    send(
      refuse(500, 'That did not work. What the server wrote to stderr has the details.'),
      outgoing,
    );
  }
}

async function answer(
  { gate, serve }: ListenerParts,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  const refusal = gate(incoming) ?? methodRefusal(incoming);
  if (refusal) {
    return refusal;
  }
  const request = requestOf(incoming, outgoing);
  if (request.method !== 'POST') {
    return serve({ request, body: undefined });
  }
  const sent = await read(incoming);
  if (!sent) {
    return refuse(413, `A request may have ${longestMessage} bytes at most.`);
  }
  const parsed = parseJson(sent);
  if (!parsed) {
    return refuse(400, 'The body of the request is not JSON in UTF-8.', {}, PARSE_ERROR);
  }
  return isTooDeep(parsed.text, parsed.value)
    ? refuse(400, tooDeep, {}, INVALID_REQUEST)
    : serve({ request, body: parsed.value });
}

function methodRefusal({ method, headers }: IncomingMessage): Response | undefined {
  if (!['POST', 'GET', 'DELETE'].includes(method ?? '')) {
    return refuse(405, 'MCP is spoken with POST, GET and DELETE.', { Allow: 'GET, POST, DELETE' });
  }
  return method !== 'POST' || isJsonContentType(headers['content-type'] ?? null)
    ? undefined
    : refuse(415, 'The Content-Type of a request must be application/json.');
}

/** All that was sent; `undefined` when it is too long. */
async function read(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const body = new GatheredBytes(longestMessage);
  // Read to its end in any case: to stop would cut the connection, and the answer with it.
  for await (const chunk of incoming) {
    body.add(chunk);
  }
  return body.dropped ? undefined : body.bytes;
}

function parseJson(sent: Buffer): { readonly text: string; readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sent);
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
