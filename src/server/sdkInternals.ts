import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { RawRequest, RawResult } from '../hub/hubHost.ts';

/** Answers the requests of one method, for the SDK. */
export type Handler = (request: RawRequest, context: ServerContext) => Promise<RawResult>;

/**
 * The private members of the SDK that this server uses, all of them, each with the public way that
 * is missing. A test holds the version in which they were looked at.
 */
export interface SdkInternals {
  /**
   * The handler of each method; one that is put here is asked from then on. Missing:
   * `setRequestHandler` without schemas, for a request and a result that are passed on as they are.
   */
  readonly handlers: Map<string, Handler>;
}

/** @throws when the SDK is another one, in which they have gone. */
export function sdkInternals(server: McpServer['server']): SdkInternals {
  const handlers: unknown = server['_requestHandlers'];
  if (!(handlers instanceof Map)) {
    throw new Error(
      'This version of @modelcontextprotocol/server answers requests in a way that this server ' +
        'does not know. Use the version that the package of the server names.',
    );
  }
  return { handlers };
}
