import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/** The requests of ours that have no response yet, by their ids as text: some servers quote numbers. */
export class OpenRequests {
  private readonly ids = new Set<string>();

  /** Notes what is sent. */
  note(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.ids.add(String(message.id));
    }
  }

  /**
   * Whether a message is a response that nobody asked for: to a request that was never sent, or a
   * second one. The SDK would take an empty id for that of its first request.
   */
  isStray(message: JSONRPCMessage): boolean {
    return !('method' in message) && !this.forget(message.id);
  }

  /** From now on a response to it is stray. `false`: it was that already. */
  forget(id: RequestId | undefined): boolean {
    return this.ids.delete(String(id));
  }
}
