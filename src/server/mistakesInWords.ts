import { INVALID_PARAMS, ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type KeyPath, shownPath } from '../domain/json.ts';
import { jsonLine, printable } from '../domain/printable.ts';
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
    : new ProtocolError(INVALID_PARAMS, `Invalid request: ${issues.slice(0, longestList)}`);
}

/** The list in words, `undefined` where there is none. */
function issuesIn(message: string): string | undefined {
  const start = message.indexOf('[\n');
  if (start < 0) {
    return undefined;
  }
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) ? issues.map(issueInWords).join(' ') : undefined;
  } catch {
    return undefined; // No list of issues, so it stays as it is.
  }
}

/** An issue that was written as JSON, without the value that it is about. */
function issueInWords(issue: z.core.$ZodIssue): string {
  const { code, path, message } = issue;
  const input = message.endsWith('received undefined') ? undefined : null;
  const inWords = code === 'invalid_type' ? mistakeInWords({ ...issue, input }) : undefined;
  return inWords ?? `${placeInWords(path)}: ${printable(message)}.`;
}

/** A mistake in a value, worded as the hub's own tools do; `undefined`: the library words it. */
export function mistakeInWords(issue: z.core.$ZodRawIssue): string | undefined {
  const at = (...keys: readonly string[]) => placeInWords([...(issue.path ?? []), ...keys]);
  const verb = issue.code !== 'invalid_type' && issue['origin'] === 'array' ? 'hold' : 'be';
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${at()} is missing.`
        : `${at()} must be ${typeWords[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return `${at()} must ${verb} at least ${issue.minimum}.`;
    case 'too_big':
      return `${at()} must ${verb} at most ${issue.maximum}.`;
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      const unknown = issue.keys.map(key => at(key)).join(', ');
      return `There is no argument ${unknown}; there are: ${known.join(', ') || 'none'}.`;
    }
  }
  return undefined;
}

const typeWords: Partial<Readonly<Record<string, string>>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function placeInWords(path: readonly PropertyKey[]): string {
  return jsonLine(shownPath(path as KeyPath).slice(0, 100));
}
