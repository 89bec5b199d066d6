import { printable } from '../../../domain/printable.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type { CallsInFlight } from './callsInFlight.ts';

/**
 * What a child is offered in the name of its callers. Its requests do not say for which call they
 * are, and may come late: they go to the only one for whom it has worked since its start, while a
 * call of that one is in flight, or to nobody.
 */
export function relayFor(
  server: string,
  capabilities: ClientRelay['capabilities'],
  calls: Pick<CallsInFlight, 'soleCaller' | 'workedFor'>,
): ClientRelay {
  return {
    capabilities,
    async answer(request, signal) {
      const { soleCaller, workedFor } = calls;
      if (typeof soleCaller === 'number') {
        throw new NobodyToAsk(server, request.method, inFlight(soleCaller));
      }
      if (workedFor !== soleCaller) {
        throw new NobodyToAsk(server, request.method, 'it has worked for several clients');
      }
      return soleCaller.relay.answer(request, signal, server);
    },
  };
}

function inFlight(callers: number): string {
  return callers === 0
    ? 'no client has a call in flight'
    : `${callers} clients have calls in flight`;
}

/** Goes back to the server as the error of its request. */
class NobodyToAsk extends Error {
  override readonly name = 'NobodyToAsk';
  /** Internal error. (JSON-RPC 2.0) */
  readonly code = -32603;

  constructor(server: string, method: string, why: string) {
    super(`The hub can't tell whom "${printable(server)}" asks (${method}): ${why}.`);
  }
}
