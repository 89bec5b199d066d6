import { INTERNAL_ERROR, INVALID_PARAMS, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { printable } from '../domain/printable.ts';

/** Longer than what has something to say; a name that somebody made up may be of any length. */
const longestMessage = 1000;

/**
 * The message, with its error as a person can read it.
 *
 * What does not fit a schema is told by the SDK as the schema library's own list, in JSON over many
 * lines, and mostly as an error of the server instead of one of the request.
 */
export function readable(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) {
    return message;
  }
  const { error } = message;
  const issues = issuesIn(error.message);
  const isOfRequest = issues !== undefined && error.code === INTERNAL_ERROR;
  const text = printable(issues === undefined ? error.message : `Invalid request: ${issues}.`);
  const isLong = text.length > longestMessage;
  return {
    ...message,
    error: {
      ...error,
      code: isOfRequest ? INVALID_PARAMS : error.code,
      message: isLong ? `${text.slice(0, longestMessage)}…` : text,
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
