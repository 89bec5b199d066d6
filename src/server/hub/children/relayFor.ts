import { printable } from '../../../domain/printable.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type { CallsInFlight } from './callsInFlight.ts';

/**
 * What a child is offered in the name of its callers. A child may work for several, and its
 * requests do not say for which: they go to the only one with a call in flight, or to nobody.
 */
export function relayFor(
  server: string,
  capabilities: ClientRelay['capabilities'],
  calls: Pick<CallsInFlight, 'soleCaller'>,
): ClientRelay {
  return {
    capabilities,
    async answer(request, signal) {
      const { soleCaller } = calls;
      if (typeof soleCaller === 'number') {
        throw new NobodyToAsk(server, request.method, soleCaller);
      }
      return soleCaller.relay.answer(request, signal);
    },
  };
}

/** Goes back to the server as the error of its request. */
class NobodyToAsk extends Error {
  override readonly name = 'NobodyToAsk';
  /** Internal error. (JSON-RPC 2.0) */
  readonly code = -32603;

  constructor(server: string, method: string, callers: number) {
    const who =
      callers === 0 ? 'no client has a call in flight' : `${callers} clients have calls in flight`;
    super(`The hub can't tell whom "${printable(server)}" asks (${method}): ${who}.`);
  }
}
