import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/logger.ts';
import { isTooDeep, tooDeep } from '../messageDepth.ts';
import { Bodies } from './bodies.ts';
import { type Exchange, refuse, refuseBody, requestOf, send } from './exchange.ts';
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
  const bodies = new Bodies(bodyLimits);
  return (incoming, outgoing) => void respond({ ...parts, bodies }, incoming, outgoing);
}

interface Parts extends ListenerParts {
  readonly bodies: Bodies;
}

async function respond(
  parts: Parts,
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
  { gate, serve, bodies }: Parts,
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
  const sent = await bodies.read(incoming, outgoing);
  if (typeof sent === 'string') {
    return bodyRefusal(sent);
  }
  const parsed = parseJson(sent);
  if (!parsed) {
    return refuseBody(PARSE_ERROR, 'The body of the request is not JSON in UTF-8.');
  }
  return isTooDeep(parsed.text, parsed.value)
    ? refuseBody(INVALID_REQUEST, tooDeep)
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

const bodyLimits = { each: 8 * 1024 * 1024, together: 32 * 1024 * 1024 };

function bodyRefusal(why: 'too long' | 'no room'): Response {
  if (why === 'too long') {
    return refuse(413, `A request may have ${bodyLimits.each} bytes at most.`);
  }
  return refuse(
    503,
    'The requests that this server is working on leave no room for one of this length. ' +
      'Send it again when some of them have been answered.',
    { 'Retry-After': '5' },
  );
}

function parseJson(sent: Buffer): { readonly text: string; readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sent);
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
