import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../base/emitter.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { isJsonObject, isSameJson } from '../../domain/json.ts';
import { errorInstead, type UnreadMessage } from './unreadMessage.ts';
import type { Reply, ResponseBody, Traffic, Wire } from './wire.ts';

/** Sends a response. The caller need not handle a failure. */
type Respond = (response: ResponseBody & Pick<JSONRPCRequest, 'jsonrpc' | 'id'>) => void;

const handshakes: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

type Receiver = Pick<Wire, 'onmessage' | 'take'>;

/**
 * The messages on one wire, over stdio or HTTP. Reports each as it passes. Drops responses that
 * nobody waits for. `take` or `onmessage` gets all other messages. A response then has its
 * request's id.
 */
export class MessageFlow {
  private readonly wire: Receiver;
  private readonly respond: Respond;
  private readonly didPass = new Emitter<Traffic>();
  private readonly open = new OpenRequests<JSONRPCRequest>();

  readonly onDidPass: Event<Traffic> = this.didPass.event;

  constructor(wire: Receiver, respond: Respond) {
    this.wire = wire;
    this.respond = respond;
  }

  /**
   * Ids of open requests that may be cancelled. A handshake may not be (basic/utilities/cancellation).
   * A probe stays open, because even a late answer shows which revision the server speaks.
   */
  get cancellable(): readonly RequestId[] {
    return this.open.all.flatMap(([id, { method }]) => (handshakes.has(method) ? [] : [id]));
  }

  send(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.open.open(message.id, message);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.open.settle(message.params?.['requestId']);
    }
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
  }

  /**
   * Takes a message from the server. If its handler throws, the message counts as rubbish, and
   * reading goes on with the next message.
   *
   * @param line the message's line. Left out: the line held more than the message.
   */
  receive(message: JSONRPCMessage, line?: Buffer): void {
    try {
      this.take(message, line);
    } catch {
      this.receiveRubbish(line?.length ?? 0);
    }
  }

  /** Reports bytes from the server that are not a message. */
  receiveRubbish(length: number): void {
    this.didPass.fire({ kind: 'rubbish', length });
  }

  /** Reports a message dropped unread. If its bytes name the answered request, it fails. */
  receiveUnread(unread: UnreadMessage): void {
    this.receiveRubbish(unread.bytes.length);
    const error = errorInstead(unread);
    const id = this.open.idOf(error?.id);
    if (error && id !== undefined) {
      this.forget(id);
      this.deliver({ ...error, id });
    }
  }

  /** Stops waiting for the response to a request. `false`: nobody waited for it. */
  forget(id: RequestId): boolean {
    return this.open.settle(id) !== undefined;
  }

  /** Gives a message to `wire.take`, or to `wire.onmessage` if `take` refuses it. `onDidPass` does not fire. */
  deliver(message: JSONRPCMessage, line?: Buffer): void {
    const reply: Reply = response =>
      this.respond({ jsonrpc: '2.0', id: (message as JSONRPCRequest).id, ...response });
    if (!this.wire.take?.(message, reply, line)) {
      this.wire.onmessage?.(message);
    }
  }

  private take(sent: JSONRPCMessage, line: Buffer | undefined): void {
    if ('method' in sent) {
      this.didPass.fire({ kind: 'message', direction: 'from-server', message: sent });
      this.deliver(sent, line);
      return;
    }
    // `idOf` finds the id in the form of the request. The SDK takes an empty id for the id 0.
    const id = this.open.idOf(sent.id);
    const request = this.open.settle(id);
    const message = handshakes.has(request?.method ?? '') ? withoutNulls(sent) : sent;
    const kind = request ? 'message' : 'stray';
    this.didPass.fire({ kind, direction: 'from-server', message, request });
    const lack = request?.method === 'initialize' ? lackOf(message) : undefined;
    if (id !== undefined && lack !== undefined) {
      const text = `The answer to "initialize" has no "${lack}", so the handshake failed.`;
      this.deliver({ jsonrpc: '2.0', id, error: { code: internalError, message: text } });
    } else if (id !== undefined && id !== message.id) {
      this.deliver({ ...message, id });
    } else if (id !== undefined) {
      this.deliver(message, message === sent ? line : undefined);
    }
  }
}

/** Drops null members. No handshake has any, but serializers write null for a missing member. */
function withoutNulls(answer: JSONRPCResponse): JSONRPCResponse {
  const mended = JSON.parse(JSON.stringify(answer, (_, value) => value ?? undefined));
  return isSameJson(mended, answer) ? answer : mended;
}

const internalError = -32603;

/** The first required member that the answer to `initialize` lacks (basic/lifecycle). */
function lackOf(answer: JSONRPCResponse): string | undefined {
  if (!('result' in answer)) {
    return undefined;
  }
  const { protocolVersion, capabilities, serverInfo } = answer.result;
  const has = {
    protocolVersion: typeof protocolVersion === 'string',
    capabilities: isJsonObject(capabilities),
    serverInfo: isJsonObject(serverInfo),
  };
  return Object.entries(has).find(([, isThere]) => !isThere)?.[0];
}
