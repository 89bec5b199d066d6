import type {
  Client,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { jsonRpcError } from '../process/failure.ts';
import type { Reply, ResponseBody } from '../process/wire.ts';
import { type RelayedRequest, withoutHop } from './forwarding.ts';

/** The client that answers a server's requests, except requests for roots. */
export interface ClientRelay {
  /** The capabilities of that client, which are declared to the server unchanged. */
  readonly capabilities: { readonly elicitation?: object; readonly sampling?: object };
  /**
   * Answers a request of a legacy server; an error goes back with its code, message and data.
   * The signal is aborted when nobody waits for the answer any more.
   */
  answer(request: RelayedRequest, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Called when the server says that a person is done on a web page that the server named. */
  complete?(elicitationId: string): void;
}

/** The methods that a server may call because of the offered capabilities. */
export function offeredMethods(relay: ClientRelay | undefined): ReadonlySet<string> {
  const { elicitation, sampling } = relay?.capabilities ?? {};
  return new Set([
    ...(elicitation ? ['elicitation/create'] : []),
    ...(sampling ? ['sampling/createMessage'] : []),
  ]);
}

/** Limits for a flooding server: the most relayed requests that are open, and the longest id. */
export const mostRelayed = 100;
const longestId = 256;
export const busy: ResponseBody = { error: { code: -32000, message: 'Too many open requests' } };

/** Whether an id is short enough to keep. A flooding server may send many ids. */
export function isKept(id: RequestId): boolean {
  return String(id).length <= longestId;
}

/** The requests of a legacy server that the relay answers, passed on unchanged in both directions. */
export class RelayedRequests implements IDisposable {
  private readonly client: Pick<Client, 'getProtocolEra'>;
  private relay: ClientRelay | undefined;
  private readonly offered: ReadonlySet<string>;
  private readonly open = new OpenRequests<AbortController>(mostRelayed);

  constructor(client: Pick<Client, 'getProtocolEra'>, relay: ClientRelay | undefined) {
    this.client = client;
    this.relay = relay;
    this.offered = offeredMethods(relay);
  }

  /** Lets the relay answer the request. `false`: the server may not call this method. */
  takeRequest({ id, method, params = {} }: JSONRPCRequest, reply: Reply): boolean {
    const { relay } = this;
    if (!relay || !this.offered.has(method) || this.client.getProtocolEra() === 'modern') {
      return false;
    }
    const request = new AbortController();
    const { signal } = request;
    if (isKept(id) && this.open.open(id, request)) {
      void relay
        .answer({ method, params: withoutHop(params) }, signal)
        .then(result => ({ result }))
        .catch(error => ({ error: jsonRpcError(error) }))
        .then(response => {
          this.open.settle(id);
          if (!signal.aborted) {
            reply(response);
          }
        });
    } else {
      reply(busy);
    }
    return true;
  }

  /** Takes a cancellation of a relayed request, or a notice about a web page. `false`: neither. */
  takeNotice(message: JSONRPCMessage): boolean {
    if (!('method' in message)) {
      return false;
    }
    const { requestId, reason, elicitationId } = message.params ?? {};
    if (message.method === 'notifications/elicitation/complete' && this.relay?.complete) {
      if (typeof elicitationId === 'string') {
        this.relay.complete(elicitationId);
      }
      return true;
    }
    if (message.method !== 'notifications/cancelled') {
      return false;
    }
    // A cancelled request counts until the relay has ended it. Otherwise, a server could flood us.
    const request = this.open.get(this.open.idOf(requestId));
    // The relay turns any reason into a text. An object could make that throw, uncaught.
    request?.abort(typeof reason === 'string' ? reason : undefined);
    return request !== undefined;
  }

  /** Aborts the open requests, and takes no further ones. */
  dispose(): void {
    this.relay = undefined;
    for (const [, request] of this.open.endAll()) {
      request.abort();
    }
  }
}
