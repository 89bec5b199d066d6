import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { RawRequest, RawResult } from '../hub/hubHost.ts';

type Protocol = McpServer['server'];

/** Answers the requests of one method. */
export type RawHandler = (request: RawRequest, context: ServerContext) => Promise<RawResult>;

/**
 * Has a server answer `tools/call` with a handler that gets the request as it came, and whose result
 * goes out as it is. The SDK's public way holds both against schemas, which takes longer than most
 * calls, and leaves out what the schemas do not know. A result with questions for the client is left
 * to the SDK, which has them asked and calls the handler again.
 */
export function setCallHandler(server: Protocol, handler: RawHandler): void {
  const { handlers, answerInRounds } = internals(server);
  const method = 'tools/call';
  handlers.set(method, (request, context) =>
    answerInRounds.call(server, method, handler, request, context),
  );
}

/** Puts another handler around each of those that there are. */
export function wrapHandlers(server: Protocol, wrap: (handler: RawHandler) => RawHandler): void {
  const { handlers } = internals(server);
  for (const [method, handler] of handlers) {
    handlers.set(method, wrap(handler));
  }
}

/** The present handler of a method; `undefined` for none. */
export function handlerOf(server: Protocol, method: string): RawHandler | undefined {
  return internals(server).handlers.get(method);
}

/**
 * The private members of the SDK that this server uses, all of them. Missing is a public
 * `setRequestHandler` for `tools/call` without schemas. A test holds the version in which they were
 * looked at.
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
