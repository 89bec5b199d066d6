import type { CallToolResult } from '../../mcp/link/connection.ts';
import { completionKey, type Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';

/** One call that a person makes. */
export interface PersonsCall {
  readonly server: Server;
  readonly send: () => Promise<CallToolResult>;
  readonly signal: AbortSignal;
  /**
   * Asks the person to call again, when they have finished on the pages that the server required.
   * The signal withdraws the question.
   */
  readonly askAgain: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * The result of a call; `undefined` when the person left. A server may first require that the
 * person visits pages. Then the pages are opened, and the tool is called again.
 *
 * @throws the server's own error, and {HumanError} when the server is not running.
 */
export async function callUntilDone(
  call: PersonsCall,
  elicitations: Elicitations,
): Promise<CallToolResult | undefined> {
  for (;;) {
    const outcome = await call.send().catch(requiredPages);
    if ('content' in outcome) {
      return outcome;
    }
    if (!(await visitPages(call, outcome.pages, elicitations))) {
      return undefined;
    }
  }
}

/** The pages that a person must visit before the server answers. */
interface RequiredPages {
  readonly pages: readonly Readonly<Record<string, unknown>>[];
}

/** URLElicitationRequiredError. (2025-11-25, client/elicitation.) */
const pagesRequired = -32042;

/** Returns the pages that an error requires, or throws the error if it requires none. */
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
 * Opens the pages if the person agrees to each page. Then waits until the server or the person says
 * that the visits are finished. `false` when the person has left.
 */
async function visitPages(
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
