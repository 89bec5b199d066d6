import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { RootsView } from '../roots/rootsView.ts';
import { Call } from '../tools/call.ts';
import type { ToolSetParts } from '../tools/toolSet.ts';

/**
 * Answers a request that works on the roots of this moment: it takes its turn with the calls of
 * tools. Where the roots have to be asked for within the request, the answer is that question.
 * @throws what a client is told as an error, in sentences a person can act on.
 */
export async function withRoots<R extends object>(
  { roots, turns, logger }: ToolSetParts,
  context: ServerContext,
  work: (call: Call) => R | Promise<R>,
): Promise<R | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const run = (view: RootsView, revoked?: AbortSignal) => work(new Call(view, context, revoked));
  try {
    const answered = await turns.take(() => roots.use(context, run, refuseRevoked), signal);
    return answered === 'busy' ? refuseBusy() : answered;
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw error;
    }
    // Nobody reads the answer to a request that was cancelled.
    if (!signal.aborted) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
    }
    const message = 'That did not work. What the server wrote to stderr has the details.';
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

function refuseRevoked(): never {
  const message = 'The folders shared with this server changed meanwhile. Ask again.';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function refuseBusy(): never {
  const message = 'The server is busy: too many calls are waiting already. Try again in a moment.';
  throw new ProtocolError(ProtocolErrorCode.InternalError, message);
}
