import type {
  JSONRPCMessage,
  McpServer,
  MessageExtraInfo,
  ServerContext,
} from '@modelcontextprotocol/server';
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
  /**
   * What the SDK does for an answer that is a question: in a legacy session it asks the client.
   * Missing: the same for a handler that was not set by `setRequestHandler`.
   */
  readonly asking: (
    method: string,
    handler: Handler,
    request: RawRequest,
    context: ServerContext,
  ) => Promise<RawResult>;
  /**
   * Takes a message that a transport has checked. Missing: a way in without the four schemas that
   * the SDK asks about every message.
   */
  readonly receive: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
}

/** @throws when the SDK is another one, in which they have gone. */
export function sdkInternals(server: McpServer['server']): SdkInternals {
  const handlers: unknown = server['_requestHandlers'];
  const asking: unknown = server['_invokeInputRequiredCapableHandler'];
  const takers: readonly unknown[] = [
    server['_onrequest'],
    server['_onresponse'],
    server['_onnotification'],
  ];
  const isKnown = [asking, ...takers].every(member => typeof member === 'function');
  if (!(handlers instanceof Map) || typeof asking !== 'function' || !isKnown) {
    throw new Error(
      'This version of @modelcontextprotocol/server answers requests in a way that this server ' +
        'does not know. Use the version that the package of the server names.',
    );
  }
  const receive: SdkInternals['receive'] = (message, extra) => {
    if (!('method' in message)) {
      server['_onresponse'](message);
    } else if ('id' in message) {
      server['_onrequest'](message, extra);
    } else {
      server['_onnotification'](message, extra);
    }
  };
  return { handlers, asking: asking.bind(server), receive };
}
