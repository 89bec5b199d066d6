import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import type { Reply } from '../wire.ts';

/** How many answers may wait for the server to take those before them. */
const mostWaiting = 1000;

/**
 * Sends answers one after the other, so that a server that asks a lot is not asked for as many
 * connections. Those that a server does not take in time are dropped: it does not listen.
 */
export class AnswerQueue {
  private readonly send: (message: JSONRPCMessage) => Promise<void>;
  private last = Promise.resolve();
  private waiting = 0;

  constructor(send: (message: JSONRPCMessage) => Promise<void>) {
    this.send = send;
  }

  replyTo({ id }: JSONRPCRequest): Reply {
    return response => {
      if (this.waiting < mostWaiting) {
        this.waiting += 1;
        this.last = this.last.then(() => this.sendNext({ jsonrpc: '2.0', id, ...response }));
      }
    };
  }

  private async sendNext(message: JSONRPCMessage): Promise<void> {
    try {
      await this.send(message);
    } catch {
      // Nobody waits for it here, and who watches the wire has seen it fail.
    } finally {
      this.waiting -= 1;
    }
  }
}
