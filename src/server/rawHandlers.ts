import {
  INVALID_PARAMS,
  type McpServer,
  ProtocolError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { printable } from '../domain/printable.ts';
import type { RawRequest, RawResult } from '../hub/hubHost.ts';

type Protocol = McpServer['server'];

/** Answers the requests of one method. */
export type RawHandler = (request: RawRequest, context: ServerContext) => Promise<RawResult>;

/**
 * Has a server answer `method` with a handler that gets the request as it came, and whose result
 * goes out as it is: the SDK's public way holds both against schemas that leave out what they do not
 * know, and for most calls of tools takes longer than the call. A result with questions for the
 * client is left to the SDK, which has them asked and calls the handler again.
 */
export function setRawHandler(server: Protocol, method: string, handler: RawHandler): void {
  const { handlers, answerInRounds } = internals(server);
  handlers.set(
    method,
    mayAsk.has(method)
      ? (request, context) => answerInRounds.call(server, method, handler, request, context)
      : handler,
  );
}

/** What answers a method so far. */
export function rawHandlerOf(server: Protocol, method: string): RawHandler | undefined {
  return internals(server).handlers.get(method);
}

/**
 * Has all handlers so far say in words what is wrong with a request. The SDK says it as the schema
 * library's own list, in JSON over many lines, and as an error of the server.
 */
export function sayMistakesInWords(server: Protocol): void {
  const { handlers } = internals(server);
  for (const [method, handler] of handlers) {
    handlers.set(method, async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        throw inWords(error);
      }
    });
  }
}

/** (Model Context Protocol 2026-07-28, basic/patterns/mrtr.) */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/**
 * The private members of the SDK that this server uses, all of them. Missing is a public
 * `setRequestHandler` without schemas. A test holds the version in which they were looked at.
 */
interface SdkInternals {
  /** The handler of each method; one that is put here is asked from then on. */
  readonly handlers: Map<string, RawHandler>;
  /** Calls a handler, and has the client asked what its result asks, in the way of its revision. */
  readonly answerInRounds: (
    method: string,
    handler: RawHandler,
    request: RawRequest,
    context: ServerContext,
  ) => Promise<RawResult>;
}

/** @throws when the SDK is another one, in which they have gone. */
function internals(server: Protocol): SdkInternals {
  const handlers: unknown = server['_requestHandlers'];
  const answerInRounds: unknown = server['_invokeInputRequiredCapableHandler'];
  if (!(handlers instanceof Map && typeof answerInRounds === 'function')) {
    throw new Error(
      'This version of @modelcontextprotocol/server answers requests in a way that this server ' +
        'does not know. Use the version that the package of the server names.',
    );
  }
  return { handlers, answerInRounds: answerInRounds as SdkInternals['answerInRounds'] };
}

/** Longer than any useful list; the names in it come from the client, and may be of any length. */
const longestList = 1000;

function inWords(error: unknown): unknown {
  const issues = error instanceof Error ? issuesIn(error.message) : undefined;
  return issues === undefined
    ? error
    : new ProtocolError(
        INVALID_PARAMS,
        `Invalid request: ${printable(issues.slice(0, longestList))}.`,
      );
}

/** The list in words, `undefined` where there is none. */
function issuesIn(message: string): string | undefined {
  const start = message.indexOf('[\n');
  if (start < 0) {
    return undefined;
  }
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) ? issues.map(issueInWords).join('; ') : undefined;
  } catch {
    return undefined; // No list of issues, so it stays as it is.
  }
}

function issueInWords(issue: unknown): string {
  const { path, message } = issue as { readonly path?: unknown; readonly message?: unknown };
  return Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : `${message}`;
}
