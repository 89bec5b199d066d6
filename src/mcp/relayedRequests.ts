import type {
  Client,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../base/disposable.ts';
import { type ClientRelay, offeredMethods } from './clientRelay.ts';
import { messageOf } from './failure.ts';
import { withoutHop } from './hopParams.ts';
import type { Reply, ResponseBody } from './wire.ts';

/** What a flooding server can make others do at once: so many requests, with ids no longer than that. */
const mostOpen = 100;
const longestId = 256;
const busy: ResponseBody = { error: { code: -32000, message: 'Busy: too many requests' } };
const internalError = -32603;

/** The requests of a legacy server that somebody else answers, as it comes and as that answers. */
export class RelayedRequests implements IDisposable {
  private readonly client: Pick<Client, 'getProtocolEra'>;
  private relay: ClientRelay | undefined;
  private readonly offered: ReadonlySet<string>;
  private readonly open = new Map<RequestId, AbortController>();

  constructor(client: Pick<Client, 'getProtocolEra'>, relay: ClientRelay | undefined) {
    this.client = client;
    this.relay = relay;
    this.offered = offeredMethods(relay);
  }

  /** Whether it is a request that the server may make; it is then answered, unless called off. */
  takeRequest({ id, method, params = {} }: JSONRPCRequest, reply: Reply): boolean {
    const { relay } = this;
    if (!relay || !this.offered.has(method) || this.client.getProtocolEra() === 'modern') {
      return false;
    }
    if (this.open.size >= mostOpen || this.open.has(id) || String(id).length > longestId) {
      reply(busy);
    } else {
      const asked = relay.answer.bind(relay, { method, params: withoutHop(params) });
      void this.answer(id, asked, reply);
    }
    return true;
  }

  /** Whether the server calls off a request that was taken here. */
  takeCancellation(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') {
      return false;
    }
    const { requestId, reason } = message.params ?? {};
    const request = this.open.get(requestId as RequestId);
    // Who asks others makes a text of it where nobody can catch what that throws.
    request?.abort(typeof reason === 'string' ? reason : undefined);
    return request !== undefined;
  }

  /** Nobody waits for an answer any more, and nothing is taken any more. */
  dispose(): void {
    this.relay = undefined;
    for (const request of this.open.values()) {
      request.abort();
    }
  }

  private async answer(
    id: RequestId,
    asked: (signal: AbortSignal) => ReturnType<ClientRelay['answer']>,
    reply: Reply,
  ): Promise<void> {
    const request = new AbortController();
    this.open.set(id, request);
    const response = await responseOf(asked, request.signal);
    this.open.delete(id);
    if (!request.signal.aborted) {
      reply(response);
    }
  }
}

async function responseOf(
  asked: (signal: AbortSignal) => ReturnType<ClientRelay['answer']>,
  signal: AbortSignal,
): Promise<ResponseBody> {
  try {
    return { result: await asked(signal) };
  } catch (error) {
    const { code, data } = Object(error) as { readonly code?: unknown; readonly data?: unknown };
    return {
      error: {
        code: typeof code === 'number' && Number.isSafeInteger(code) ? code : internalError,
        message: messageOf(error),
        ...(data !== undefined && { data }),
      },
    };
  }
}
