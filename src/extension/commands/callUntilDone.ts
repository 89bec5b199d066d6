import type { Progress } from '../../domain/progress.ts';
import type { CallToolResult, Tool } from '../../mcp/connection.ts';
import { completionKey, type Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';

/** One call of a tool, and how the person who made it hears of it. */
export interface PersonsCall {
  readonly server: Server;
  readonly tool: Pick<Tool, 'name'>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Asks the person to call again, being done with the pages that the server sent to; the signal
   * takes the question back.
   */
  readonly askAgain: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * The result of a call, or `undefined` when the person left. Pages that a server sends the person to
 * before it does what it is asked for are opened, and the tool is called again then.
 *
 * @throws the server's own error, and {HumanError} when it is not running.
 */
export async function callUntilDone(
  call: PersonsCall,
  elicitations: Elicitations,
): Promise<CallToolResult | undefined> {
  const { server, tool, args, signal, onProgress } = call;
  for (;;) {
    const request = { name: tool.name, arguments: args, signal, onProgress };
    const outcome = await server.callTool(request).catch(requiredPages);
    if ('content' in outcome) {
      return outcome;
    }
    if (!(await haveVisited(call, outcome.pages, elicitations))) {
      return undefined;
    }
  }
}

/** The pages that a server sends the person to before it does what it is asked for. */
interface RequiredPages {
  readonly pages: readonly Readonly<Record<string, unknown>>[];
}

/** URLElicitationRequiredError. (2025-11-25, client/elicitation.) */
const pagesRequired = -32042;

/** @throws the error when it is any other. */
function requiredPages(error: unknown): RequiredPages {
  const { code, data } = Object(error) as { readonly code?: unknown; readonly data?: unknown };
  const { elicitations } = Object(data) as { readonly elicitations?: unknown };
  const pages = Array.isArray(elicitations) ? elicitations.map(Object) : [];
  if (code !== pagesRequired || pages.length === 0) {
    throw error;
  }
  return { pages };
}

/**
 * Opens the pages if the person agrees to each; then waits until the server says that all is done
 * there, or the person does. `false` when the person has left.
 */
async function haveVisited(
  { server: { definition }, signal, askAgain }: PersonsCall,
  pages: RequiredPages['pages'],
  elicitations: Elicitations,
): Promise<boolean> {
  const open = new Set(pages.map(page => completionKey(definition, String(page['elicitationId']))));
  const asking = new AbortController();
  let done: (isDone: boolean) => void = () => {};
  const completed = new Promise<boolean>(resolve => {
    done = resolve;
  });
  const listening = elicitations.onDidComplete(key => {
    open.delete(key);
    if (open.size === 0) {
      done(true);
    }
  });
  try {
    for (const page of pages) {
      const { action } = await elicitations.answer(definition, { ...page, mode: 'url' }, signal);
      if (action !== 'accept') {
        return false;
      }
    }
    return await Promise.race([completed, askAgain(asking.signal)]);
  } finally {
    listening.dispose();
    asking.abort();
  }
}
