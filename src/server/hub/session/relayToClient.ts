import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { RelayedRequest } from '../../../mcp/clientRelay.ts';
import type { CallerRelay } from '../children/callsInFlight.ts';
import type { HubHost, RawResult } from '../hubHost.ts';

/** What servers may ask of a client besides its roots, as the client declared it. */
export type ClientOffers = CallerRelay['capabilities'];

/** What the client offers of that which can be relayed. */
export function offersOf({ elicitation, sampling }: ClientCapabilities): ClientOffers {
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }) };
}

/**
 * Relays what a legacy child asks while it works on a call to the client whose call that is.
 *
 * Only within a legacy session: in the modern era the question is the answer to the client's request,
 * which is the matter of `HeldCallRounds`.
 */
export class RelayToClient {
  private readonly host: HubHost;
  /** With the names of the servers that they are for. */
  private readonly calls = new Map<ServerContext, string>();

  constructor(host: HubHost) {
    this.host = host;
  }

  /** The calls that have no answer yet, the oldest first. */
  get callsInFlight(): Iterable<ServerContext> {
    return this.calls.keys();
  }

  /** What children are offered in the name of this session. */
  of(offers: ClientOffers): CallerRelay {
    return {
      capabilities: offers,
      answer: (request, signal, server) => this.ask(request, signal, server),
    };
  }

  /** Notes a call of the client until it settles: what the server asks meanwhile may be about it. */
  async during<T>(server: string, context: ServerContext, answer: Promise<T>): Promise<T> {
    this.calls.set(context, server);
    try {
      return await answer;
    } finally {
      this.calls.delete(context);
    }
  }

  private async ask(
    request: RelayedRequest,
    signal: AbortSignal,
    server: string,
  ): Promise<RawResult> {
    const [context] = [...this.calls].findLast(([, called]) => called === server) ?? [];
    if (this.host.era === 'modern' || !context) {
      throw Object.assign(new Error(`Nobody can be asked for ${request.method} now.`), {
        code: methodNotFound,
      });
    }
    // Whose form it has is between the server and the client: the hub takes part in neither.
    const options = { signal, timeout: longestAnswer };
    return (await context.mcpReq.send(request, asItCame, options)) as RawResult;
  }
}

const methodNotFound = -32601;

/** In milliseconds: a person is asked, who may be away. */
const longestAnswer = 30 * 60_000;

const asItCame = {
  '~standard': {
    version: 1,
    vendor: 'mcp-roots',
    validate: (value: unknown) => ({ value }),
  },
} as const;
