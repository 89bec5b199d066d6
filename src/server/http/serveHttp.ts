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
import { isTooComplex, tooComplex } from '../../base/complexityLimit.ts';
import { longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import type { Era } from '../../domain/exposure.ts';
import { Bodies, type BodyRefusal } from './bodies.ts';
import { boundUnread, type Exchange, refuse, requestOf, send } from './exchange.ts';
import {
  createHeadCheck,
  hostNameOf,
  type ListenAddress,
  listenProblem,
  mcpPath,
} from './headCheck.ts';
import { LegacySessions, mostSessions } from './legacySessions.ts';

/** Options for serving over HTTP. */
interface HttpOptions extends ListenAddress {
  readonly logger: Logger;
  readonly after: After;
}

/** A listening server and its URL, or the reason why it cannot listen, in finished sentences. */
type HttpService =
  | { readonly ok: true; readonly url: string; readonly close: () => Promise<void> }
  | { readonly ok: false; readonly reason: string };

/**
 * Serves MCP over HTTP in both eras. `close` ends all sessions, streams and calls, and settles when
 * the last connection is gone.
 */
export async function serveHttp(options: HttpOptions, newServer: NewServer): Promise<HttpService> {
  const problem = listenProblem(options);
  if (problem !== undefined) {
    return { ok: false, reason: problem };
  }
  const { logger, after } = options;
  const endpoint = createEndpoint(newServer, options);
  // Loaded only here, because loading is slow, and the bundled server mostly runs over stdio.
  const { createServer } = await import('node:http');
  const limits = { requestTimeout: longestSending, keepAliveTimeout: longestPause };
  const responses = new Set<ServerResponse>();
  const onPart = () => boundUnread(responses, mostUnread, logger);
  // Joins duplicate headers. Otherwise, Node would show only the first of two Host headers.
  const server = createServer({ ...limits, joinDuplicateHeaders: true }, (incoming, outgoing) => {
    if (!outgoing.socket) {
      // The client did not wait for its last answer. No MCP client does so: answers would pile up.
      if (!incoming.socket.destroyed) {
        logger.warn('A client did not wait for an answer, so the server ended the connection.');
      }
      outgoing.end();
      incoming.socket.destroy();
      return;
    }
    responses.add(outgoing);
    outgoing.once('close', () => responses.delete(outgoing));
    void respond(endpoint.answer(incoming, outgoing), outgoing, onPart, logger);
  });
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

/** Builds the server of one legacy session, or of one modern request. */
export type NewServer = (era: Era) => McpServer;

/**
 * Serves both eras at one address: each modern request and each legacy session gets a new server.
 * Two clients never share a server or a transport.
 */
function createEndpoint(newServer: NewServer, options: HttpOptions) {
  const { logger } = options;
  const modern = createMcpHandler(() => newServer('modern'), {
    // The SDK's own legacy mode has no sessions, so it could not ask a legacy client for its roots.
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
  const gate = createHeadCheck(options);
  const bodies = new Bodies(bodyLimits);
  return {
    /** Answers a request. Reads the body only if the head passes its check. */
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
      return isTooComplex(parsed.text)
        ? refuse(400, tooComplex, {}, INVALID_REQUEST)
        : serve({ request, body: parsed.value });
    },
    /** Ends all sessions, streams and calls. */
    close: () => Promise.all([modern.close(), legacy.close()]),
  };
}

/** Sends the answer to a request, or an error if the answer fails. */
async function respond(
  answer: Promise<Response>,
  outgoing: ServerResponse,
  onPart: () => void,
  logger: Logger,
): Promise<void> {
  try {
    await send(await answer, outgoing, onPart);
  } catch (error) {
    // In most cases, the client has ended the connection, and nobody reads an error.
    if (!outgoing.destroyed) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
      if (outgoing.headersSent) {
        outgoing.destroy();
      } else {
        await send(refuse(500, unknown), outgoing, onPart);
      }
    }
  }
}

const unknown = "The request failed. The details are on the server's stderr.";

function methodRefusal({ method, headers }: IncomingMessage): Response | undefined {
  if (!['POST', 'GET', 'DELETE'].includes(method ?? '')) {
    return refuse(405, 'MCP uses only POST, GET and DELETE.', { Allow: 'GET, POST, DELETE' });
  }
  return method !== 'POST' || isJsonContentType(headers['content-type'] ?? null)
    ? undefined
    : refuse(415, 'The Content-Type of a request must be application/json.');
}

const bodyLimits = { each: longestMessage, together: 4 * longestMessage };

/** The most bytes of unread answers, over all connections. */
const mostUnread = 8 * longestMessage;

function bodyRefusal(why: BodyRefusal): Response {
  if (why === 'too long') {
    return refuse(413, `A request may have ${bodyLimits.each} bytes at most.`);
  }
  return refuse(
    503,
    'The server is busy with large requests. Send this request again in a moment.',
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

/** Starts listening. If this fails, returns the reason as a finished sentence. */
async function listen(server: Server, { host, port }: ListenAddress): Promise<string | undefined> {
  server.listen({ host: hostNameOf(host)?.replace(/[[\]]/g, ''), port });
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another program uses this port' : message;
    return `Listening on ${host}, port ${port} failed: ${why}.`;
  }
}

/** Stops listening, gives answers a moment to go out, and cuts off the rest. */
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
  // The remaining connections wait for a next request, or for a client that reads nothing.
  server.closeAllConnections();
  await closed;
}

/** The longest time for answers to go out at the end, in milliseconds. */
const longestEnd = 1000;

/** The longest time for a request to arrive, in milliseconds. */
const longestSending = 60_000;

/**
 * The milliseconds that an idle connection stays open. Node's default is 5 s, but an agent's calls
 * are often further apart. A call that is sent while the connection closes is lost for good.
 */
const longestPause = 60_000;
