import { INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server';
import { printable } from '../domain/printable.ts';
import type { RawHandler } from './callHandler.ts';

/**
 * The handler, which says in words what is wrong with a request. The SDK says it as the schema library's
 * own list, in JSON over many lines, and as an error of the server.
 */
export function sayingMistakesInWords(handler: RawHandler): RawHandler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (error) {
      throw inWords(error);
    }
  };
}

/** Longer than any useful list; the names in it come from the client, and may be of any length. */
const longestList = 1000;

function inWords(error: unknown): unknown {
  const issues = error instanceof Error ? issuesIn(error.message) : undefined;
  return issues === undefined
    ? error
    : new ProtocolError(
        INVALID_PARAMS,
        `Invalid request: ${printable(issues.slice(0, longestList))}.`,
      );
}

/** The list in words, `undefined` where there is none. */
function issuesIn(message: string): string | undefined {
  const start = message.indexOf('[\n');
  if (start < 0) {
    return undefined;
  }
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) ? issues.map(issueInWords).join('; ') : undefined;
  } catch {
    return undefined; // No list of issues, so it stays as it is.
  }
}

interface Issue {
  readonly path?: unknown;
  readonly message?: unknown;
  /** The type that the value should have. */
  readonly expected?: unknown;
}

function issueInWords(issue: Issue): string {
  const { path, message, expected } = issue;
  if (!Array.isArray(path) || path.length === 0) {
    return `${message}`;
  }
  const place = path.join('.');
  return wordedTypes.has(expected)
    ? `${place} has to be ${/^[aeiou]/.test(`${expected}`) ? 'an' : 'a'} ${expected}`
    : `${place}: ${message}`;
}

const wordedTypes: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'boolean',
  'object',
  'array',
]);
