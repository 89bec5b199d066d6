import { RateLimiter } from '../../base/rateLimiter.ts';
import { printable } from '../../domain/printable.ts';
import { type Progress, percentOf, progressText } from '../../domain/progress.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import type { CallToolResult, Tool } from '../../mcp/connection.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { ToolCallPages } from '../pages/toolCallPage.ts';
import type { Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { askForArguments } from './argumentsForm.ts';
import { askServer } from './askServer.ts';
import { callUntilDone } from './callUntilDone.ts';
import { pickOffer } from './pickOffer.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { showPrompt } from './showPrompt.ts';
import { showResource } from './showResource.ts';
import type { ShownStep } from './withPatience.ts';

/**
 * Picks a tool, a resource or a prompt of a running server, unless called from the row of a tool. Of a
 * tool it opens the form; from the palette, it asks for the arguments there and then.
 */
export async function callTool(
  servers: Servers,
  row: Row | undefined,
  pages: ToolCallPages,
  results: ResultDocuments,
  elicitations: Elicitations,
  toasts: Toasts,
): Promise<void> {
  const server = await pickServer(servers, row, {
    placeHolder: t('Call a tool of which server?'),
    isWanted: ({ state }) => state.kind === 'running',
    none: 'No server is running. Start one first.',
  });
  if (!server) {
    return;
  }
  if (row?.kind === 'tool') {
    pages.show(server, row.tool);
    return;
  }
  const offer = await pickOffer(server);
  switch (offer?.kind) {
    case 'tool':
      if (row || offer.isForForm) {
        pages.show(server, offer.tool);
        return;
      }
      return callAndShow(server, offer.tool, pages, elicitations, toasts);
    case 'resource':
      return showResource(server, offer.resource, results);
    case 'template':
      return showResource(server, offer.template, results);
    case 'prompt':
      return showPrompt(server, offer.prompt, results);
    case undefined:
      return;
  }
}

async function callAndShow(
  server: Server,
  tool: Tool,
  pages: ToolCallPages,
  elicitations: Elicitations,
  toasts: Toasts,
): Promise<void> {
  const args = await askForArguments(tool);
  if (!args) {
    return;
  }
  const begin = performance.now();
  const result = await callWithProgress(server, tool, args, elicitations, toasts);
  if (result) {
    pages.show(server, tool).showResult(args, result, performance.now() - begin);
  }
}

/** The result, or `undefined` when the user left. */
async function callWithProgress(
  server: Server,
  tool: Tool,
  args: Record<string, unknown>,
  elicitations: Elicitations,
  toasts: Toasts,
): Promise<CallToolResult | undefined> {
  const name = printable(tool.name);
  const steps = new Steps();
  const onProgress = (progress: Progress) => steps.note(progress);
  const askAgain = async (signal: AbortSignal) => {
    const buttons = [{ title: t('Call Again') }];
    const text = t('Call {0} again when you are done in the browser.', name);
    const isOpen = () => !signal.aborted;
    const answer = await toasts.show(
      () => (isOpen() ? { text, buttons, isOpen } : undefined),
      () => true,
    );
    return answer === true;
  };
  try {
    return await askServer<CallToolResult | undefined>(
      signal => callUntilDone({ server, tool, args, signal, onProgress, askAgain }, elicitations),
      t('Calling {0}…', name),
      reason => new HumanError('The call of {0} failed: {1}', name, reason),
      show => steps.follow(show),
    );
  } finally {
    steps.end();
  }
}

/** No more is drawn than a person can read. */
const pace = { perSecond: 10, mostWaiting: 1 };

/** Shows how far a call is; before there is something to show it with, it keeps the latest. */
class Steps {
  private readonly limiter = new RateLimiter<'step'>(() => this.draw(), pace);
  private show: ((step: ShownStep) => void) | undefined;
  private latest: Progress | undefined;
  private shownPercent = 0;

  note(progress: Progress): void {
    this.latest = progress;
    this.limiter.add('step');
  }

  follow(show: (step: ShownStep) => void): void {
    this.show = show;
    this.draw();
  }

  end(): void {
    this.limiter.dispose();
  }

  private draw(): void {
    if (this.show && this.latest) {
      const percent = Math.max(this.shownPercent, percentOf(this.latest) ?? 0);
      const increment = percent - this.shownPercent;
      this.shownPercent = percent;
      this.show({ message: shown(progressText(this.latest)), ...(increment > 0 && { increment }) });
    }
  }
}
