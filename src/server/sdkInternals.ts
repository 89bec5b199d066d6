import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { RawRequest, RawResult } from './hub/hubHost.ts';

/** Answers the requests of one method, for the SDK. */
export type Handler = (request: RawRequest, context: ServerContext) => Promise<RawResult>;

/** What the SDK keeps to itself, and there is no public way to. */
export interface SdkInternals {
  /** Who answers a request, by its method; what is put here is asked from then on. */
  readonly handlers: Map<string, Handler>;
  /** What the SDK does for an answer that is a question: in a legacy session it asks the client. */
  readonly asking: (
    method: string,
    handler: Handler,
    request: RawRequest,
    context: ServerContext,
  ) => Promise<RawResult>;
}

/** @throws when the SDK is another one, in which they have gone. */
export function sdkInternals(server: McpServer['server']): SdkInternals {
  const handlers: unknown = server['_requestHandlers'];
  const asking: unknown = server['_invokeInputRequiredCapableHandler'];
  if (!(handlers instanceof Map) || typeof asking !== 'function') {
    throw new Error(
      'This version of @modelcontextprotocol/server answers requests in a way that the hub does ' +
        'not know. Use the version that the package of the server names.',
    );
  }
  return { handlers, asking: asking.bind(server) };
}
