import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  INVALID_REQUEST,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  PARSE_ERROR,
} from '@modelcontextprotocol/server';
import { type After, startDeadline } from '../../base/clock.ts';
import { longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import type { Era } from '../../domain/exposure.ts';
import { isTooDeep, tooDeep } from '../messageDepth.ts';
import { Bodies, type BodyRefusal } from './bodies.ts';
import { Answers, type Exchange, refuse, requestOf } from './exchange.ts';
import { createGate, hostNameOf, type ListenAddress, listenProblem, mcpPath } from './gate.ts';
import { LegacySessions, mostSessions } from './legacySessions.ts';

/** Options for serving over HTTP. */
interface HttpOptions extends ListenAddress {
  readonly logger: Logger;
  readonly after: After;
}

/** A server that listens, with its address for people; or why it does not, in finished sentences. */
type HttpService =
  | { readonly ok: true; readonly url: string; readonly close: () => Promise<void> }
  | { readonly ok: false; readonly reason: string };

/**
 * Serves MCP over HTTP in both eras. `close` ends all sessions, streams and calls, and settles when
 * no connection is left.
 */
export async function serveHttp(options: HttpOptions, newServer: NewServer): Promise<HttpService> {
  const problem = listenProblem(options);
  if (problem !== undefined) {
    return { ok: false, reason: problem };
  }
  const { logger, after } = options;
  const endpoint = createEndpoint(newServer, options);
  // Loaded here, because it takes long, and the bundled server is mostly started for stdio.
  const { createServer } = await import('node:http');
  const answers = new Answers(mostUnread, logger);
  const limits = { requestTimeout: longestSending, keepAliveTimeout: longestPause };
  const server = createServer(limits, (incoming, outgoing) => {
    if (!outgoing.socket) {
      // It would wait for an earlier answer. No client of MCP does so, and answers would pile up.
      if (!incoming.socket.destroyed) {
        logger.warn('A connection was ended: a request came before the last one was answered.');
      }
      outgoing.end();
      incoming.socket.destroy();
      return;
    }
    void respond(endpoint.answer(incoming, outgoing), outgoing, { answers, logger });
  });
  const responses = openResponses(server);
  const reason = await listen(server, options);
  if (reason !== undefined) {
    return { ok: false, reason };
  }
  server.on('error', error => logger.warn(error.message));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await Promise.all([endpoint.close(), end(server, responses, after)]);
  };
  return { ok: true, url: `http://${hostNameOf(options.host)}:${port}${mcpPath}`, close };
}

/** Builds the server of one session, or of one request in the modern era. */
export type NewServer = (era: Era) => McpServer;

/**
 * Serves both eras at one address: a modern request by a server of its own, a legacy one by the
 * server of its session. No two clients ever share a server or a transport.
 */
function createEndpoint(newServer: NewServer, options: HttpOptions) {
  const { logger } = options;
  const modern = createMcpHandler(() => newServer('modern'), {
    // Without a session, the SDK could not ask a legacy client for its roots.
    legacy: 'reject',
    maxSubscriptions: mostSessions,
    onerror: error => logger.warn(error.message),
  });
  const legacy = new LegacySessions(() => newServer('legacy'), logger);
  const serve = async (exchange: Exchange): Promise<Response> => {
    const { request, body } = exchange;
    return (await isLegacyRequest(request, body))
      ? legacy.serve(exchange)
      : modern.fetch(request, { parsedBody: body });
  };
  const gate = createGate(options);
  const bodies = new Bodies(bodyLimits);
  return {
    /** Answers a request. One that is refused by its head is, before anything of its body is read. */
    async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> {
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
    },
    /** Ends all sessions, streams and calls. */
    close: () => Promise.all([modern.close(), legacy.close()]),
  };
}

/** Sends what a request is answered, whatever happens. */
async function respond(
  answer: Promise<Response>,
  outgoing: ServerResponse,
  { answers, logger }: { readonly answers: Answers; readonly logger: Logger },
): Promise<void> {
  try {
    await answers.send(await answer, outgoing);
  } catch (error) {
    // Where the client went away, which is the most common reason, nobody is left to be told.
    if (!outgoing.destroyed) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
      if (outgoing.headersSent) {
        outgoing.destroy();
      } else {
        await answers.send(refuse(500, unknown), outgoing);
      }
    }
  }
}

const unknown = 'That did not work. What the server wrote to stderr has the details.';

function methodRefusal({ method, headers }: IncomingMessage): Response | undefined {
  if (!['POST', 'GET', 'DELETE'].includes(method ?? '')) {
    return refuse(405, 'MCP is spoken with POST, GET and DELETE.', { Allow: 'GET, POST, DELETE' });
  }
  return method !== 'POST' || isJsonContentType(headers['content-type'] ?? null)
    ? undefined
    : refuse(415, 'The Content-Type of a request must be application/json.');
}

const bodyLimits = { each: longestMessage, together: 4 * longestMessage };

/** The most bytes of answers that clients have not read, over all connections. */
const mostUnread = 8 * longestMessage;

function bodyRefusal(why: BodyRefusal): Response {
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

/** The responses that are under way, at each moment from now on. */
function openResponses(server: Server): ReadonlySet<ServerResponse> {
  const responses = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  return responses;
}

/** The reason that it can't listen there, as a finished sentence; `undefined` when it does. */
async function listen(server: Server, { host, port }: ListenAddress): Promise<string | undefined> {
  server.listen({ host: hostNameOf(host)?.replace(/[[\]]/g, ''), port });
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another program does so' : message;
    return `It is not possible to listen on ${host}, port ${port}: ${why}.`;
  }
}

/** Has the server listen no longer, lets answers go out for a moment, and cuts off the rest. */
async function end(
  server: Server,
  responses: ReadonlySet<ServerResponse>,
  after: After,
): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  const sent = [...responses].map(
    response => new Promise(resolve => response.once('close', resolve)),
  );
  const deadline = startDeadline(after, longestEnd);
  await Promise.race([Promise.all(sent), deadline.over]);
  deadline.dispose();
  // The connections that are left wait for a next request, or for a client that reads nothing.
  server.closeAllConnections();
  await closed;
}

/** In milliseconds. */
const longestEnd = 1000;

/** In milliseconds: how long a request may take to arrive. */
const longestSending = 60_000;

/**
 * In milliseconds: how long a connection waits for a next request. An agent's calls are often more than
 * Node's 5 s apart, and one that is sent as its connection ends is lost: no client repeats a call.
 */
const longestPause = 60_000;
