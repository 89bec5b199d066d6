import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { PathScope } from '../../domain/pathScope.ts';
import type { RootFolder } from '../rootFolders.ts';
import type { SessionRoots } from '../sessionRoots.ts';

/** What every tool that only looks promises to the client. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

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

/** Runs a tool that needs the roots; without them it is refused, with the reason. */
export function withScope(
  roots: SessionRoots,
  context: ServerContext,
  work: (scope: PathScope<RootFolder>) => CallToolResult | Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  return roots.use(context, ({ folders, problem }) => {
    return problem === undefined
      ? work(folders.scope)
      : refused(`It is not known which folders are shared, so no path is served. ${problem}`);
  });
}
