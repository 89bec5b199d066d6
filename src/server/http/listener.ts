import type { EventEmitter } from 'node:events';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';
import { INVALID_REQUEST, isJsonContentType, PARSE_ERROR } from '@modelcontextprotocol/server';
import { longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import { isTooDeep, tooDeep } from '../messageDepth.ts';
import { type Exchange, refuse, requestOf, send } from './exchange.ts';
import type { RequestHead } from './gate.ts';

/** The gate of a listener, and the receiver of its requests. */
interface ListenerParts {
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

const bodyLimits = { each: longestMessage, together: 4 * longestMessage };

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

/** The longest bodies of requests, in bytes. */
interface BodyLimits {
  readonly each: number;
  /** The sum over all requests that have not ended, of all connections. */
  readonly together: number;
}

/** A request of which the body was not read yet. */
interface Unread extends AsyncIterable<Buffer> {
  readonly headers: IncomingHttpHeaders;
}

/** Reads the bodies of all requests to one server, and bounds the memory that they take. */
export class Bodies {
  private readonly limits: BodyLimits;
  private taken = 0;

  constructor(limits: BodyLimits) {
    this.limits = limits;
  }

  /**
   * All that was sent, or why it was thrown away. What it takes counts until `outgoing`, the
   * answer to the request, is closed, however that comes about.
   */
  async read(incoming: Unread, outgoing: EventEmitter): Promise<Buffer | 'too long' | 'no room'> {
    const body = new Body(this.refusalOf(Number(incoming.headers['content-length'] ?? 0)));
    outgoing.once('close', () => this.drop(body));
    // Read to its end in any case: to stop would cut the connection, and the answer with it.
    for await (const chunk of incoming) {
      this.add(chunk, body);
    }
    return body.refusal ?? Buffer.concat(body.chunks);
  }

  /** No room is set aside for an announced length: a client that only announces must not keep others out. */
  private refusalOf(announced: number): Body['refusal'] {
    const { each, together } = this.limits;
    if (announced > each) {
      return 'too long';
    }
    return announced > together - this.taken ? 'no room' : undefined;
  }

  private add(chunk: Buffer, body: Body): void {
    const cost = chunk.length + costOfChunk;
    body.length += chunk.length;
    if (body.length > this.limits.each) {
      body.refusal = 'too long';
    } else if (this.taken + cost > this.limits.together) {
      body.refusal ??= 'no room';
    }
    if (body.refusal) {
      this.drop(body);
    } else {
      body.chunks.push(chunk);
      body.cost += cost;
      this.taken += cost;
    }
  }

  private drop(body: Body): void {
    this.taken -= body.cost;
    body.cost = 0;
    body.chunks.length = 0;
  }
}

class Body {
  readonly chunks: Buffer[] = [];
  /** The bytes that were sent, kept or not. */
  length = 0;
  /** The bytes that are kept at the moment. */
  cost = 0;
  refusal: 'too long' | 'no room' | undefined;

  constructor(refusal: Body['refusal']) {
    this.refusal = refusal;
  }
}

/** The cost of a chunk besides its bytes: a body may be sent in chunks of one byte. */
const costOfChunk = 256;
