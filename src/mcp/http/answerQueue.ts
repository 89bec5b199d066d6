import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** How many answers may wait for the server to take those before them. */
const mostWaiting = 1000;

/**
 * Sends answers one after the other, so that a server that asks a lot is not asked for as many
 * connections. Those that a server does not take in time are dropped: it does not listen.
 */
export class AnswerQueue {
  private readonly sendNow: (message: JSONRPCMessage) => Promise<void>;
  private last = Promise.resolve();
  private waiting = 0;

  constructor(sendNow: (message: JSONRPCMessage) => Promise<void>) {
    this.sendNow = sendNow;
  }

  /** Settles when it is sent, or dropped. Never rejects. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.waiting < mostWaiting) {
      this.waiting += 1;
      this.last = this.last.then(() => this.sendNext(message));
      await this.last;
    }
  }

  private async sendNext(message: JSONRPCMessage): Promise<void> {
    try {
      await this.sendNow(message);
    } catch {
      // Nobody waits for it here, and who watches the wire has seen it fail.
    } finally {
      this.waiting -= 1;
    }
  }
}
