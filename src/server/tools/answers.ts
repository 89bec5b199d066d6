import type { CallToolResult } from '@modelcontextprotocol/server';

/** What every tool that only looks promises to the client. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What every tool that writes says besides whether it destroys something, and may be repeated. */
export const writing = { readOnlyHint: false, openWorldHint: false };

/** What may be given as a path, for the schemas of arguments. */
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
