import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Implementation,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  McpServer,
  type MessageExtraInfo,
  type RequestId,
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import { Emitter } from '../base/emitter.ts';
import type { Era } from '../domain/exposure.ts';
import { printable } from '../domain/printable.ts';
import { CallDispatcher } from './calls/callDispatcher.ts';
import type { RequestContext } from './requestContext.ts';

type ErrorOfResponse = JSONRPCErrorResponse['error'];

/** A connection that can leave out whoever decides which session its messages are for. */
interface StraightConnection {
  /** Asked first about each message that comes in: false leaves it to the others. */
  straight: ((message: JSONRPCMessage) => boolean) | undefined;
  send(message: JSONRPCMessage): Promise<void>;
}

/** What the entry of the SDK answers itself, or looks at first, for as long as a connection lasts. */
const ofEntry: ReadonlySet<string> = new Set([
  'initialize',
  'subscriptions/listen',
  'notifications/cancelled',
]);

/** An MCP server that answers calls of tools without the SDK, and whose errors a person can read. */
export class DirectServer extends McpServer {
  readonly calls: CallDispatcher;
  private readonly didNotify = new Emitter<string>();
  /**
   * Fires by its method with each notification that comes in, in the turn in which it does: a call that
   * comes right behind is not answered before. The SDK calls its handlers some turns later.
   */
  readonly onNotification = this.didNotify.event;
  private readonly passed = new Map<RequestId, ErrorOfResponse>();
  private connection: StraightConnection | undefined;

  constructor(info: Implementation, options: ServerOptions, era: Era) {
    super(info, options);
    const { server } = this;
    this.calls = new CallDispatcher({
      era,
      info,
      protocol: server,
      capabilities: context => this.capabilities(context),
    });
  }

  /** What the client declared: at the start of a legacy session, with each modern request. */
  capabilities(context: RequestContext | undefined): ClientCapabilities {
    const declared = context?.mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY];
    return (
      (declared as ClientCapabilities | undefined) ?? this.server.getClientCapabilities() ?? {}
    );
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.outgoing(message), options);
    await super.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (this.isOfCalls(message, send, extra)) {
        this.goStraight(onmessage);
      } else {
        onmessage?.(message, extra);
      }
    };
  }

  /**
   * Leaves out the entry of the SDK, which looks at each message of this connection again, once a call
   * has come through it: from then on the connection is this session's.
   */
  leaveOutEntry(connection: StraightConnection): void {
    this.connection = connection;
  }

  private goStraight(others: Transport['onmessage']): void {
    const { connection } = this;
    this.connection = undefined;
    if (connection) {
      const send = connection.send.bind(connection);
      // In a turn of its own: what the entry still has of this one must not be overtaken.
      setImmediate(() => {
        connection.straight = message => {
          if (this.isOfCalls(message, send)) {
            return true;
          }
          const isOurs = !('method' in message && ofEntry.has(message.method));
          if (isOurs) {
            others?.(message);
          }
          return isOurs;
        };
      });
    }
  }

  /** Whether a message is a call, which is answered, or cancels one. */
  private isOfCalls(
    message: JSONRPCMessage,
    send: (message: JSONRPCMessage) => Promise<void>,
    extra?: MessageExtraInfo,
  ): boolean {
    if (!('method' in message)) {
      return false;
    }
    const { method, params } = message;
    if (!('id' in message)) {
      const isCancelling = method === 'notifications/cancelled';
      if (isCancelling && this.calls.cancel(params?.['requestId'], params?.['reason'])) {
        return true;
      }
      this.didNotify.fire(method);
      return false;
    }
    if (method !== 'tools/call') {
      return false;
    }
    const fail = (error: Error) => this.server.onerror?.(error);
    const answer = (message: JSONRPCMessage) => void send(message).catch(fail);
    this.calls.take(message, { request: extra?.request, send: answer }).catch(fail);
    return true;
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
}

/** Longer than the text of any useful error; a name that a client made up may be of any length. */
const longestErrorText = 1000;

/**
 * The message, with its error as a person can read it.
 *
 * What does not fit a schema is told by the SDK as the schema library's own list, in JSON over many
 * lines, and mostly as an error of the server instead of one of the request.
 */
function readable(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) {
    return message;
  }
  const { error } = message;
  const issues = issuesIn(error.message);
  const isOfRequest = issues !== undefined && error.code === INTERNAL_ERROR;
  const text = printable(issues === undefined ? error.message : `Invalid request: ${issues}.`);
  const isLong = text.length > longestErrorText;
  return {
    ...message,
    error: {
      ...error,
      code: isOfRequest ? INVALID_PARAMS : error.code,
      message: isLong ? `${text.slice(0, longestErrorText)}…` : text,
    },
  };
}

/** The list in words, `undefined` where there is none. */
function issuesIn(message: string): string | undefined {
  const start = message.indexOf('[\n');
  if (start < 0) {
    return undefined;
  }
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) ? issues.map(inWords).join('; ') : undefined;
  } catch {
    return undefined; // No list of issues, so it stays as it is.
  }
}

function inWords(issue: unknown): string {
  const { path, message } = issue as { readonly path?: unknown; readonly message?: unknown };
  return Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : `${message}`;
}
