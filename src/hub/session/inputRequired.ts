import type { ServerContext } from '@modelcontextprotocol/server';
import type { ForwardedRequest, InputRequests } from '../../mcp/forwarding.ts';
import type { RawResult } from '../hubHost.ts';

// Tells the keys of a server's questions from those of the bundled server's own, such as for roots.
const prefix = 'server.';

/**
 * A server's questions as the result of the client's call. The client repeats the call with its
 * answers and the continuation. (2026-07-28, basic/patterns/mrtr.)
 */
export function asInputRequired(requests: InputRequests, continuation: string): RawResult {
  const inputRequests = Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [prefix + key, request]),
  );
  return { resultType: 'input_required', inputRequests, requestState: continuation };
}

/** The client's answers to a server's questions; `undefined` in the first round of a call. */
export function answersIn({ mcpReq }: ServerContext): ForwardedRequest['answers'] | undefined {
  const continuation = mcpReq.requestState();
  if (typeof continuation !== 'string') {
    return undefined;
  }
  const given = Object.entries(mcpReq.inputResponses ?? {}).filter(([key]) =>
    key.startsWith(prefix),
  );
  const responses = Object.fromEntries(
    given.map(([key, response]) => [key.slice(prefix.length), response]),
  );
  return { responses, continuation };
}
