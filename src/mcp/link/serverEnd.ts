import { randomUUID } from 'node:crypto';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import type { JsonObject } from '../../domain/json.ts';
import { inEnglish } from '../../domain/sentence.ts';
import { failureSentence } from '../../domain/servers/serverFailure.ts';
import { errorIn } from '../process/failure.ts';
import type { Wire } from '../process/wire.ts';
import type { RelayHandshake } from './relayHandshake.ts';
import { unavailable } from './relayRules.ts';

/** An id of our own request. Random, because the client or server may be a relay that makes ids, too. */
export function newId(): string {
  return `mcp-roots-${randomUUID()}`;
}

/** The server's end of a relay: sends messages there, and takes the answers to requests of our own. */
export class ServerEnd implements IDisposable {
  private readonly wire: Wire;
  private readonly label: string;
  private readonly handshake: RelayHandshake;
  private readonly take: (message: JSONRPCMessage, line?: Buffer) => void;
  private readonly asked = new OpenRequests<(response: JSONRPCResponse) => void>();
  /** Over HTTP: resolves when the server got the notice that the handshake is over. */
  private handshaken: Promise<unknown> = Promise.resolve();

  /**
   * @param label the server's name, for errors.
   * @param take receives all messages but answers to our own requests. If a request can't be sent,
   * it receives an error as the response.
   */
  constructor(
    wire: Wire,
    label: string,
    handshake: RelayHandshake,
    take: (message: JSONRPCMessage, line?: Buffer) => void,
  ) {
    this.wire = wire;
    this.label = label;
    this.handshake = handshake;
    this.take = take;
    wire.take = (message, _, line) => {
      this.receive(message, line);
      return true;
    };
  }

  /** Whether the end of a request's stream cancels it (modern HTTP). Otherwise, a notice does. */
  get hasStreams(): boolean {
    return this.handshake.era === 'modern' && this.wire.hasPerRequestStream === true;
  }

  /** Sets the revision that the server speaks. Over HTTP, each request names it. */
  speaks(revision: string): void {
    this.wire.setProtocolVersion?.(revision);
  }

  /**
   * @param line the message as it came, without its end.
   * @param signal aborted when the client cancels the request.
   */
  send(message: JSONRPCMessage, line?: Buffer, signal?: AbortSignal): void {
    const { wire } = this;
    if (wire.kind === 'http') {
      const options = signal && this.hasStreams ? { requestSignal: signal } : undefined;
      const sent = this.handshaken.then(() => wire.send(message, options));
      // Over HTTP, the next message could overtake the notice that ends the handshake.
      const isLast = 'method' in message && message.method === 'notifications/initialized';
      this.handshaken = isLast ? sent.catch(() => {}) : this.handshaken;
      sent.catch(error => this.fail(message, error));
    } else if (line && wire.sendLine) {
      wire.sendLine(message, line);
    } else {
      // Sending fails only when the server is gone. The session notices that itself.
      wire.send(message).catch(() => {});
    }
  }

  reply(id: RequestId, body: object): void {
    this.send({ jsonrpc: '2.0', id, ...body } as JSONRPCResponse);
  }

  /** Sends a request of our own. Resolves to the result, or rejects with the server's error. */
  ask(
    method: string,
    params: JsonObject,
    id: RequestId = newId(),
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.asked.open(id, response =>
        'result' in response ? resolve(response.result) : reject(response.error),
      );
      this.send({ jsonrpc: '2.0', id, method, params } as JSONRPCRequest, undefined, signal);
    });
  }

  /** Stops waiting for the answer to a request of our own. */
  forget(id: RequestId): void {
    this.asked.settle(id);
  }

  dispose(): void {
    this.wire.take = () => true;
  }

  private receive(message: JSONRPCMessage, line?: Buffer): void {
    const asked = 'method' in message ? undefined : this.asked.settle(message.id);
    if (asked) {
      asked(message as JSONRPCResponse);
    } else {
      this.take(message, line);
    }
  }

  /** Answers a request that could not be sent: over HTTP, a single request can fail. */
  private async fail(message: JSONRPCMessage, error: unknown): Promise<void> {
    if ('method' in message && 'id' in message) {
      const { id } = message;
      const failure = inEnglish(failureSentence(await this.wire.explain(error)));
      const sentence = `The server "${this.label}" ${failure.replace(/\.$/, '')}.`;
      const failed = errorIn(error) ?? { code: unavailable, message: sentence };
      this.receive({ jsonrpc: '2.0', id, error: failed });
    }
  }
}
