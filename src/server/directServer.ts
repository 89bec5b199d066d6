import { McpServer, type Transport } from '@modelcontextprotocol/server';
import { readable } from './readableErrors.ts';

/** An MCP server that takes messages as they are, and whose errors can be read. */
export class DirectServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(readable(message), options);
    await super.connect(transport);
    this.takeFrom(transport);
  }

  /**
   * The SDK asks four schemas about every message, after a transport has checked it already. Those
   * that do not fit leave garbage that only a full collection finds: under a flood of calls that is
   * half of the memory, and for a single call a fifth of its time.
   */
  private takeFrom(transport: Transport): void {
    const { server } = this;
    transport.onmessage = (message, extra) => {
      if (!('method' in message)) {
        server['_onresponse'](message);
      } else if ('id' in message) {
        server['_onrequest'](message, extra);
      } else {
        server['_onnotification'](message, extra);
      }
    };
  }
}
