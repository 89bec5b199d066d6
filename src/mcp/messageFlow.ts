import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { OpenRequests } from '../base/openRequests.ts';
import { isJsonObject } from '../domain/json.ts';
import { errorInstead, type UnreadMessage } from './unreadMessage.ts';
import type { Reply, ResponseBody, Traffic, Wire } from './wire.ts';

/** Sends a response, and handles its own failure. */
type Respond = (response: ResponseBody & Pick<JSONRPCRequest, 'jsonrpc' | 'id'>) => void;

const handshakes: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

type Receiver = Pick<Wire, 'onmessage' | 'take'>;

/**
 * The messages on a wire of either kind: reports each as it passes, stops responses that nobody waits
 * for, and hands every other message to the part that it concerns, a response by the id of its request.
 */
export class MessageFlow {
  private readonly wire: Receiver;
  private readonly respond: Respond;
  private readonly didPass = new Emitter<Traffic>();
  private readonly open = new OpenRequests<Pick<JSONRPCRequest, 'method'>>();

  readonly onDidPass: Event<Traffic> = this.didPass.event;

  constructor(wire: Receiver, respond: Respond) {
    this.wire = wire;
    this.respond = respond;
  }

  /**
   * The requests without a response that can be cancelled: a handshake can't (basic/utilities/cancellation),
   * and a late answer to a probe says what the server speaks.
   */
  get cancellable(): readonly RequestId[] {
    return this.open.all.flatMap(([id, { method }]) => (handshakes.has(method) ? [] : [id]));
  }

  send(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.open.open(message.id, { method: message.method });
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.open.settle(message.params?.['requestId']);
    }
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
  }

  /**
   * A message came from the server. One at which its handler throws counts as none: the next one is
   * read as if it had not come.
   *
   * @param line in which it came alone, if it did.
   */
  receive(message: JSONRPCMessage, line?: Buffer): void {
    try {
      this.take(message, line);
    } catch {
      this.receiveRubbish(line?.length ?? 0);
    }
  }

  /** Something came that is no message. */
  receiveRubbish(length: number): void {
    this.didPass.fire({ kind: 'rubbish', length });
  }

  /** A message came that is not read. A caller who waits for it, as far as it shows, gets an error. */
  receiveUnread(unread: UnreadMessage): void {
    this.receiveRubbish(unread.bytes.length);
    const error = errorInstead(unread);
    const id = this.open.idOf(error?.id);
    if (error && id !== undefined) {
      this.forget(id);
      this.deliver({ ...error, id });
    }
  }

  /** Stops waiting for the response to a request; `false` when none was awaited. */
  forget(id: RequestId): boolean {
    return this.open.settle(id) !== undefined;
  }

  /** Hands a message to the part that it concerns, without reporting it. */
  deliver(message: JSONRPCMessage, line?: Buffer): void {
    const reply: Reply = response =>
      this.respond({ jsonrpc: '2.0', id: (message as JSONRPCRequest).id, ...response });
    if (!this.wire.take?.(message, reply, line)) {
      this.wire.onmessage?.(message);
    }
  }

  private take(message: JSONRPCMessage, line: Buffer | undefined): void {
    if ('method' in message) {
      this.didPass.fire({ kind: 'message', direction: 'from-server', message });
      this.deliver(message, line);
      return;
    }
    // The SDK would take an empty id for the id of its first request.
    const id = this.open.idOf(message.id);
    const request = this.open.settle(id);
    const kind = request ? 'message' : 'stray';
    this.didPass.fire({ kind, direction: 'from-server', message });
    const lack = request?.method === 'initialize' ? lackOf(message) : undefined;
    if (id !== undefined && lack !== undefined) {
      const text = `The answer to "initialize" has no "${lack}", so the handshake failed.`;
      this.deliver({ jsonrpc: '2.0', id, error: { code: internalError, message: text } });
    } else if (id !== undefined && id !== message.id) {
      this.deliver({ ...message, id });
    } else if (id !== undefined) {
      this.deliver(message, line);
    }
  }
}

const internalError = -32603;

/** The first member that a handshake needs and that its answer lacks; `undefined`: none. (basic/lifecycle.) */
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
