import type { CallToolResult } from '@modelcontextprotocol/server';

/** The annotations of every tool that only looks. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The annotations that all tools that write have in common. */
export const writing = { readOnlyHint: false, openWorldHint: false };

/** The forms of a path, for the schemas of arguments. */
export const pathHint =
  'Absolute, a file: URI, relative to the first root, or relative to a root by its name (name:path).';

/** A failure, in sentences a person can act on. */
export function refused(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** A success: for programs, and as texts for people and models. Empty texts are left out. */
export function answer(
  structuredContent: Record<string, unknown>,
  ...texts: readonly string[]
): CallToolResult {
  const shown = texts.filter(text => text !== '');
  return { content: shown.map(text => ({ type: 'text', text })), structuredContent };
}
