import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { RawRequest, RawResult } from './hubHost.ts';

type Protocol = McpServer['server'];

/** Answers the requests of one method. */
export type RawHandler = (request: RawRequest, context: ServerContext) => Promise<RawResult>;

/**
 * Sets the handler that answers `tools/call`. The handler gets the request unchanged, and the
 * client gets the result unchanged. The SDK's `setRequestHandler` would check both against schemas.
 * That takes longer than most calls, and drops fields that the schemas do not know. If a result has
 * questions for the client, the SDK asks the questions and calls the handler again.
 */
export function setCallHandler(server: Protocol, handler: RawHandler): void {
  const { handlers, answerInRounds } = internals(server);
  const method = 'tools/call';
  handlers.set(method, (request, context) =>
    answerInRounds.call(server, method, handler, request, context),
  );
}

/** The current handler of a method; `undefined` if the method has none. */
export function handlerOf(server: Protocol, method: string): RawHandler | undefined {
  return internals(server).handlers.get(method);
}

/**
 * All private members of the SDK that this server uses. The SDK has no public `setRequestHandler` for
 * `tools/call` without schemas. These members were reviewed for one SDK version, which a test pins.
 */
interface SdkInternals {
  /** The handler of each method. A handler that is set in this map answers all later requests. */
  readonly handlers: Map<string, RawHandler>;
  /** Calls a handler. Asks the questions in its result in the way of the client's revision. */
  readonly answerInRounds: (
    method: string,
    handler: RawHandler,
    request: RawRequest,
    context: ServerContext,
  ) => Promise<RawResult>;
}

/** @throws when this version of the SDK lacks these members. */
function internals(server: Protocol): SdkInternals {
  const handlers: unknown = server['_requestHandlers'];
  const answerInRounds: unknown = server['_invokeInputRequiredCapableHandler'];
  if (!(handlers instanceof Map && typeof answerInRounds === 'function')) {
    throw new Error(
      'This version of @modelcontextprotocol/server is not supported. Use the version that the package of the server names.',
    );
  }
  return { handlers, answerInRounds: answerInRounds as SdkInternals['answerInRounds'] };
}
