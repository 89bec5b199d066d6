import type { RelayedRequest } from '../../mcp/relayedRequests.ts';
import { asItCame, type RequestContext } from '../../server/requestContext.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { SuspendableCall } from './suspendedCalls.ts';

/**
 * Relays the questions that an upstream (a legacy server behind the hub) asks while it works on a
 * call, to the client: in a legacy session as a request to the client, in the modern era as the
 * answer to the call. A question does not say which call it is about, so it goes with the latest.
 */
export class RelayToClient {
  private readonly host: Pick<HubHost, 'era'>;
  /** The requests of a legacy client that have no answer yet, with the ids of their upstreams. */
  private readonly requests = new Map<RequestContext, string>();
  /** The calls of a modern client that may be answered with a question, until they have results. */
  private readonly calls = new Set<SuspendableCall>();

  constructor(host: Pick<HubHost, 'era'>) {
    this.host = host;
  }

  /** Notes a request until its answer settles: a legacy client can be asked meanwhile. */
  async during<T>(upstream: string, context: RequestContext, answer: Promise<T>): Promise<T> {
    if (this.host.era === 'legacy') {
      this.requests.set(context, upstream);
    }
    try {
      return await answer;
    } finally {
      this.requests.delete(context);
    }
  }

  /** Notes a call that may be answered with a question. */
  add(call: SuspendableCall): void {
    this.calls.add(call);
    void call.over.then(() => this.calls.delete(call));
  }

  async answer(
    { method, params }: RelayedRequest,
    signal: AbortSignal,
    upstream: string,
  ): Promise<RawResult> {
    const request = { method, params };
    const calls = [...this.calls].filter(({ begun }) => begun.upstream === upstream);
    // If none has an open request of the client, the latest of all.
    const call = calls.findLast(({ isInRound }) => isInRound) ?? calls.at(-1);
    if (call) {
      return call.ask(request, signal);
    }
    const [context] = [...this.requests].findLast(([, called]) => called === upstream) ?? [];
    if (context) {
      // The form of the answer is between the server and the client; the hub does not check it.
      const options = { signal, timeout: longestAnswer };
      return (await context.mcpReq.send(request, asItCame, options)) as RawResult;
    }
    const error = new Error(`Nobody can be asked for ${method} now.`);
    throw Object.assign(error, { code: methodNotFound });
  }
}

const methodNotFound = -32601;

/** In milliseconds: the person who is asked may be away. */
const longestAnswer = 30 * 60_000;
