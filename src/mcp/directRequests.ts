import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  type JSONRPCResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import type { ForwardedRequest } from './forwarding.ts';
import type { Wire } from './wire.ts';

type Params = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;

/** What a connection declares of its own side, and the SDK's part in it. */
export interface DirectSide {
  readonly wire: Wire;
  /** Has shaken hands over the wire when the first request is sent. */
  readonly client: Pick<Client, 'getProtocolEra' | 'getNegotiatedProtocolVersion'>;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
}

/** What is to become of the answer to a request. */
interface OpenRequest {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ForwardedRequest['onProgress'];
  /** Whoever could call it off is no longer listened to. */
  readonly release: () => void;
}

/** Far from the ids that the SDK counts up from 0, and still a number that fits into 31 bits. */
const firstId = 1_000_000_000;

/**
 * Requests over the same wire as the SDK's and past it: for one, the SDK would take several times as
 * long, and would check and cut the result to what it knows.
 */
export class DirectRequests {
  private readonly side: DirectSide;
  private readonly open = new Map<number, OpenRequest>();
  private nextId = firstId;

  constructor(side: DirectSide) {
    this.side = side;
    void side.wire.ended.then(() => this.rejectAll());
  }

  /**
   * Sends a request, in the same turn, and answers with its result as it comes.
   *
   * @throws {ProtocolError} the server's own error.
   * @throws the reason of the signal that calls it off; the server is told.
   */
  send({ method, params, signal, onProgress }: ForwardedRequest): Promise<Result> {
    const { wire } = this.side;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = this.nextId++;
      const stream = this.isModern && wire.hasPerRequestStream ? new AbortController() : undefined;
      const callOff = () => this.callOff(id, signal?.reason, stream);
      const release = () => signal?.removeEventListener('abort', callOff);
      signal?.addEventListener('abort', callOff, { once: true });
      this.open.set(id, { resolve, reject, onProgress, release });
      const whole = this.declaring(params, onProgress && { progressToken: id });
      wire
        .send(
          { jsonrpc: '2.0', id, method, params: whole },
          stream && { requestSignal: stream.signal },
        )
        .catch(error => this.settle(id)?.reject(error));
    });
  }

  /** Takes what answers a request that was sent here; `false`: it concerns somebody else. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message) {
      return message.method === 'notifications/progress' && this.takeProgress(message.params ?? {});
    }
    const id = Number(message.id);
    if (!(id >= firstId)) {
      return false;
    }
    // To one that was called off nobody waits for it.
    const request = this.settle(id);
    if (request) {
      answer(request, message);
    }
    return true;
  }

  private takeProgress({ progressToken, progress, total, message }: Params): boolean {
    // Some servers quote numbers. To make a number of anything else may throw.
    const isToken = typeof progressToken === 'number' || typeof progressToken === 'string';
    const request = isToken ? this.open.get(Number(progressToken)) : undefined;
    if (isJsonNumber(progress)) {
      request?.onProgress?.({
        progress,
        ...(isJsonNumber(total) && { total }),
        ...(typeof message === 'string' && { message }),
      });
    }
    return request !== undefined;
  }

  private callOff(id: number, reason: unknown, stream: AbortController | undefined): void {
    this.settle(id)?.reject(reason);
    if (stream) {
      stream.abort();
      return;
    }
    const params = this.declaring({ requestId: id, reason: String(reason) });
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params } as const;
    // It fails only when the server is gone, and then works for nobody.
    this.side.wire.send(notice).catch(() => {});
  }

  /** With what the later revisions want to see in every message, and with the token of its progress. */
  private declaring(params: Params, token?: { readonly progressToken: number }): Params {
    if (!this.isModern) {
      return token ? { ...params, _meta: { ...Object(params['_meta']), ...token } } : params;
    }
    const { client, clientInfo, capabilities } = this.side;
    const _meta = {
      ...Object(params['_meta']),
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: clientInfo,
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
      ...token,
    };
    return { ...params, _meta };
  }

  private settle(id: number): OpenRequest | undefined {
    const request = this.open.get(id);
    this.open.delete(id);
    request?.release();
    return request;
  }

  private rejectAll(): void {
    for (const id of [...this.open.keys()]) {
      this.settle(id)?.reject(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
    }
  }

  private get isModern(): boolean {
    return this.side.client.getProtocolEra() === 'modern';
  }
}

/** One that can be passed on: JSON has words for numbers, such as 1e999, that it can't write. */
function isJsonNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function answer({ resolve, reject }: OpenRequest, response: JSONRPCResponse): void {
  if ('result' in response) {
    resolve(response.result);
  } else {
    const { code, message, data } = response.error;
    reject(new ProtocolError(code, message, data));
  }
}
