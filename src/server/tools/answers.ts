import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Outcome } from '../paths/refusal.ts';

/** The annotations of every tool that only reads. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The annotations shared by all tools that write. */
export const writing = { readOnlyHint: false, openWorldHint: false };

/** The forms of a path, for the schemas of arguments. */
export const pathHint =
  'An absolute path, a file: URI, a path from the first root, or name:path for the root of that name.';

/** A failure, in sentences that a person can act on. */
export function refused(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Returns what `success` makes of the outcome's value, or a failure with the refusal's message. */
export function answerTo<T>(
  outcome: Outcome<T>,
  success: (value: T) => CallToolResult,
): CallToolResult {
  return outcome.ok ? success(outcome.value) : refused(outcome.message);
}

/** An answer of success: data for programs, and texts for people and models. Leaves out empty texts. */
export function answer(
  structuredContent: Record<string, unknown>,
  ...texts: readonly string[]
): CallToolResult {
  const shown = texts.filter(text => text !== '');
  return { content: shown.map(text => ({ type: 'text', text })), structuredContent };
}

/** Adds a text to the end of an answer, unless the text is empty. */
export function withNote(result: CallToolResult, text: string): CallToolResult {
  return text === '' ? result : { ...result, content: [...result.content, { type: 'text', text }] };
}
