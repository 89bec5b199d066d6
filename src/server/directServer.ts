import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  McpServer,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { readable } from './readableErrors.ts';

type ErrorOfResponse = JSONRPCErrorResponse['error'];

/** An MCP server that takes messages as they are, and whose errors can be read. */
export class DirectServer extends McpServer {
  private readonly passed = new Map<RequestId, ErrorOfResponse>();

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.outgoing(message), options);
    await super.connect(transport);
    this.takeFrom(transport);
  }

  /** Somebody else's error, which goes out as it is when this request is answered with one. */
  passError(request: RequestId, error: ErrorOfResponse): void {
    this.passed.set(request, error);
  }

  private outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || message.id === undefined) {
      return readable(message);
    }
    const passed = this.passed.get(message.id);
    this.passed.delete(message.id);
    return passed && 'error' in message ? { ...message, error: passed } : readable(message);
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
