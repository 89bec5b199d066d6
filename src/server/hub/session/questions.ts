import type { ServerContext } from '@modelcontextprotocol/server';
import type { Forwarded, ForwardedRequest } from '../../../mcp/forwarding.ts';
import type { Caller } from '../children/callsInFlight.ts';
import type { Child } from '../children/child.ts';
import type { RawResult } from '../hubHost.ts';
import type { GuardedCall } from './guardedCalls.ts';
import { inWords, isMissingCapability } from './missingCapability.ts';

// Apart from the keys of the session's own questions, which are answered in the same round.
const prefix = 'server.';

/** To whom a call goes, for whom, and what besides the call. */
export interface Sending {
  readonly child: Child;
  readonly caller: Caller | undefined;
  readonly request: Omit<ForwardedRequest, 'method' | 'params'>;
}

/**
 * Sends a call in this very turn, and answers as its server does, or with what that wants to know.
 * @throws the server's own error; {@link HumanError} when it needs what the client does not offer.
 */
export async function answerTo(
  { serverName, method, params }: GuardedCall,
  { child, caller, request }: Sending,
): Promise<RawResult> {
  try {
    const forwarded = await child.forward({ method, params, ...request }, caller);
    return forwarded.kind === 'result' ? forwarded.result : asQuestions(forwarded);
  } catch (error) {
    throw isMissingCapability(error) ? inWords(error, serverName) : error;
  }
}

/** What a server wants to know first, as the answer to the client's call. (2026-07-28, basic/patterns/mrtr.) */
export function asQuestions({
  requests,
  continuation,
}: Forwarded & { readonly kind: 'questions' }): RawResult {
  const inputRequests = Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [prefix + key, request]),
  );
  return { resultType: 'input_required', inputRequests, requestState: continuation };
}

/** The client's answers to what a server wanted to know; `undefined` at the first round. */
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
