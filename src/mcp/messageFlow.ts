import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { OpenRequests } from './openRequests.ts';
import { isLogMessage } from './serverMessages.ts';
import { errorInstead, type UnreadMessage } from './unreadMessage.ts';
import type { Reply, ResponseBody, Traffic, Wire } from './wire.ts';

/** Sends a response. Whoever sends it answers for its failure. */
export type Respond = (response: ResponseBody & Pick<JSONRPCRequest, 'jsonrpc' | 'id'>) => void;

type Receiver = Pick<Wire, 'onmessage' | 'takeRequest' | 'takeMessage'>;

/**
 * What becomes of the messages on a wire, of whichever kind: each is told of as it passes, a response
 * that nobody asked for goes no further, and every other one goes to whom it concerns.
 */
export class MessageFlow {
  private readonly wire: Receiver;
  private readonly respond: Respond;
  private readonly didPass = new Emitter<Traffic>();
  private readonly requests = new OpenRequests();

  readonly onDidPass: Event<Traffic> = this.didPass.event;

  constructor(wire: Receiver, respond: Respond) {
    this.wire = wire;
    this.respond = respond;
  }

  /** A message goes to the server. */
  send(message: JSONRPCMessage): void {
    this.requests.note(message);
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
  }

  /**
   * A message came from the server, in so many characters as far as that is known. One at which
   * whoever takes it stumbles counts as none: the next one is read as if it had not been there.
   */
  receive(message: JSONRPCMessage, length = 0): void {
    try {
      this.take(message);
    } catch {
      this.receiveRubbish(length);
    }
  }

  /** Something came that is no message. */
  receiveRubbish(length: number): void {
    this.didPass.fire({ kind: 'rubbish', length });
  }

  /** A message came that is not read. Who waits for it is told why, as far as it shows who that is. */
  receiveUnread(unread: UnreadMessage): void {
    this.receiveRubbish(unread.bytes.length);
    const error = errorInstead(unread);
    if (error && this.forget(error.id)) {
      this.deliver(error);
    }
  }

  /** No response is awaited any more; `false` when none was. */
  forget(id: JSONRPCRequest['id']): boolean {
    return this.requests.forget(id);
  }

  /** Gives a message to whom it concerns, and does not tell of it. */
  deliver(message: JSONRPCMessage): void {
    const isRequest = 'method' in message && 'id' in message;
    const isTaken = isRequest
      ? this.wire.takeRequest?.(message, this.replyTo(message))
      : this.wire.takeMessage?.(message);
    if (!isTaken) {
      this.wire.onmessage?.(message);
    }
  }

  private take(message: JSONRPCMessage): void {
    const isStray = this.requests.isStray(message);
    const kind = isStray ? 'stray' : 'message';
    this.didPass.fire({ kind, direction: 'from-server', message });
    if (!isStray && !isLogMessage(message)) {
      this.deliver(message);
    }
  }

  private replyTo({ id }: JSONRPCRequest): Reply {
    return response => this.respond({ jsonrpc: '2.0', id, ...response });
  }
}
