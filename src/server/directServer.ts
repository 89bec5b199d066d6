import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  McpServer,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { printable } from '../domain/printable.ts';
import { sdkInternals } from './sdkInternals.ts';

type ErrorOfResponse = JSONRPCErrorResponse['error'];

/** An MCP server that takes messages as they are, and whose errors a person can read. */
export class DirectServer extends McpServer {
  private readonly passed = new Map<RequestId, ErrorOfResponse>();

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.outgoing(message), options);
    await super.connect(transport);
    // The SDK asks four schemas about every message, after a transport has checked it already. Those
    // that do not fit leave garbage that only a full collection finds: under a flood of calls that
    // is half of the memory, and for a single call a fifth of its time.
    transport.onmessage = sdkInternals(this.server).receive;
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
