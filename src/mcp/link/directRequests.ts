import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { OpenRequests } from '../../base/openRequests.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Wire } from '../process/wire.ts';
import type { ForwardedRequest } from './forwarding.ts';

type Result = Readonly<Record<string, unknown>>;

/** The SDK's client, which must have shaken hands over the wire before a request is sent. */
type Negotiated = Pick<Client, 'getProtocolEra' | 'getNegotiatedProtocolVersion'>;

interface OpenRequest {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly onProgress: ForwardedRequest['onProgress'];
  /** Stops listening to the signal that could cancel the request. */
  readonly release: () => void;
}

/** The first id: far above the SDK's ids, which begin with 0, and still a number of 31 bits. */
const firstId = 1_000_000_000;

/**
 * Sends requests over the wire of the SDK's client, but not through the client. The SDK would take
 * several times as long for each, check the result, and drop members that it does not know.
 */
export class DirectRequests {
  private readonly wire: Wire;
  private readonly client: Negotiated;
  private readonly clientInfo: Implementation;
  private readonly capabilities: ClientCapabilities;
  private readonly open = new OpenRequests<OpenRequest>();
  private nextId = firstId;

  constructor(
    wire: Wire,
    client: Negotiated,
    clientInfo: Implementation,
    capabilities: ClientCapabilities,
  ) {
    this.wire = wire;
    this.client = client;
    this.clientInfo = clientInfo;
    this.capabilities = capabilities;
    void wire.ended.then(() => this.rejectAll());
  }

  /**
   * Sends a request in this turn of the event loop. Resolves to the unchanged result.
   *
   * @throws {ProtocolError} the server's own error.
   * @throws the reason of the signal that cancels the request. The server learns of the
   * cancellation.
   */
  send({ method, params, signal, onProgress }: ForwardedRequest): Promise<Result> {
    const { wire } = this;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = this.nextId++;
      const stream = this.isModern && wire.hasPerRequestStream ? new AbortController() : undefined;
      const callOff = () => this.callOff(id, signal?.reason, stream);
      const release = () => signal?.removeEventListener('abort', callOff);
      signal?.addEventListener('abort', callOff, { once: true });
      this.open.open(id, { resolve, reject, onProgress, release });
      const whole = this.declaring(params, onProgress && { progressToken: id });
      wire
        .send(
          { jsonrpc: '2.0', id, method, params: whole },
          stream && { requestSignal: stream.signal },
        )
        .catch(error => this.settle(id)?.reject(error));
    });
  }

  /** Takes the answer or the progress of a request sent by `send`. `false`: the message is another one. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message) {
      return message.method === 'notifications/progress' && this.takeProgress(message.params ?? {});
    }
    const request = this.settle(message.id);
    if ('result' in message) {
      request?.resolve(message.result);
    } else {
      const { code, message: text, data } = message.error;
      request?.reject(new ProtocolError(code, text, data));
    }
    return request !== undefined;
  }

  private takeProgress({ progressToken, progress, total, message }: JsonObject): boolean {
    const request = this.open.get(this.open.idOf(progressToken));
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
    // Fails only when the server is gone. Then the request is gone, too.
    this.wire.send(notice).catch(() => {});
  }

  /** The parameters with the metadata that modern revisions demand, and with the progress token. */
  private declaring(params: JsonObject, token?: { readonly progressToken: number }): JsonObject {
    if (!this.isModern) {
      return token ? { ...params, _meta: { ...Object(params['_meta']), ...token } } : params;
    }
    const { client, clientInfo, capabilities } = this;
    const _meta = {
      ...Object(params['_meta']),
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: clientInfo,
      [CLIENT_CAPABILITIES_META_KEY]: capabilities,
      ...token,
    };
    return { ...params, _meta };
  }

  private settle(id: unknown): OpenRequest | undefined {
    const request = this.open.settle(id);
    request?.release();
    return request;
  }

  private rejectAll(): void {
    for (const [id] of this.open.all) {
      this.settle(id)?.reject(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
    }
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }
}

/** Whether JSON can write the number. JSON can read numbers that it can't write, such as 1e999. */
function isJsonNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
