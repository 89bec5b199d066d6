import type { RelayedRequest } from '../../mcp/relayedRequests.ts';
import { asItCame, type RequestContext } from '../../server/requestContext.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { SuspendableCall } from './suspendedCalls.ts';

/**
 * Relays the questions that an upstream (a legacy server behind the hub) asks while it works on a
 * call, to the client whose call that is: in a legacy session as
 * a request to the client, in the modern era as the answer to the call. A question does not say
 * which call it is about, so it goes with the latest call; all of them are of the same client.
 */
export class RelayToClient {
  private readonly host: Pick<HubHost, 'era'>;
  /** The requests of the client that have no answer yet, with the ids of their upstreams. */
  private readonly requests = new Map<RequestContext, string>();
  /** The client's calls that may be answered with a question, until they have their results. */
  private readonly calls = new Set<SuspendableCall>();

  constructor(host: Pick<HubHost, 'era'>) {
    this.host = host;
  }

  /** The calls that have no answer yet, the oldest first. */
  get callsInFlight(): Iterable<RequestContext> {
    return this.requests.keys();
  }

  /**
   * Notes a request of the client until its answer settles: the upstream's questions may be about
   * it meanwhile.
   */
  async during<T>(upstream: string, context: RequestContext, answer: Promise<T>): Promise<T> {
    this.requests.set(context, upstream);
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
    if (this.host.era === 'legacy' && context) {
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
