import * as vscode from 'vscode';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { printable } from '../../domain/printable.ts';
import { type Progress, percentOf, progressText } from '../../domain/progress.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { CallToolResult, Tool } from '../../mcp/connection.ts';
import { completionKey, type Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { Row } from '../views/rows.ts';
import { toolText } from './answerTexts.ts';
import { askForArguments } from './argumentsForm.ts';
import { askServer } from './askServer.ts';
import { pickOffer } from './pickOffer.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { showPrompt } from './showPrompt.ts';
import { showResource } from './showResource.ts';
import type { ShownStep } from './withPatience.ts';

/**
 * Picks a tool, a resource or a prompt of a running server, unless called from the row of a tool;
 * asks for its arguments, and shows what the server answers.
 */
export async function callTool(
  servers: Servers,
  row: Row | undefined,
  results: ResultDocuments,
  elicitations: Elicitations,
): Promise<void> {
  const server = await pickServer(servers, row, {
    placeHolder: vscode.l10n.t('Call a tool of which server?'),
    isWanted: ({ state }) => state.kind === 'running',
    none: 'No server is running. Start one first.',
  });
  if (!server) {
    return;
  }
  const offer =
    row?.kind === 'tool' ? ({ kind: 'tool', tool: row.tool } as const) : await pickOffer(server);
  switch (offer?.kind) {
    case 'tool':
      return callAndShow(server, offer.tool, results, elicitations);
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
  results: ResultDocuments,
  elicitations: Elicitations,
): Promise<void> {
  const args = await askForArguments(tool);
  const result = args && (await callUntilDone(server, tool, args, elicitations));
  if (!result) {
    return;
  }
  const { extension, text } = toolText(result);
  await results.open(tool.name, extension, text);
  if (result.isError) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} answered with an error.', printable(tool.name)),
    );
  }
}

/** The result, or `undefined` when the user left. Pages that it takes first are opened. */
async function callUntilDone(
  server: Server,
  tool: Tool,
  args: Record<string, unknown>,
  elicitations: Elicitations,
): Promise<CallToolResult | undefined> {
  for (;;) {
    const outcome = await callWithProgress(server, tool, args);
    if (!outcome || 'content' in outcome) {
      return outcome;
    }
    if (!(await haveVisited(server, tool, outcome.pages, elicitations))) {
      return undefined;
    }
  }
}

/** The pages that a server sends the person to before it does what it is asked for. */
interface RequiredPages {
  readonly pages: readonly Readonly<Record<string, unknown>>[];
}

/** The result or what it takes first, or `undefined` when the user cancelled the call. */
async function callWithProgress(
  server: Server,
  { name }: Tool,
  args: Record<string, unknown>,
): Promise<CallToolResult | RequiredPages | undefined> {
  const steps = new Steps();
  const onProgress = (progress: Progress) => steps.note(progress);
  const call = (signal: AbortSignal) =>
    server.callTool({ name, arguments: args, signal, onProgress }).catch(requiredPages);
  try {
    return await askServer<CallToolResult | RequiredPages>(
      call,
      vscode.l10n.t('Calling {0}…', printable(name)),
      reason => new HumanError('The call of {0} failed: {1}', printable(name), reason),
      show => steps.follow(show),
    );
  } finally {
    steps.end();
  }
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
  server: Server,
  { name }: Tool,
  pages: RequiredPages['pages'],
  elicitations: Elicitations,
): Promise<boolean> {
  const { definition } = server;
  const { signal } = new AbortController();
  const open = new Set(pages.map(page => completionKey(definition, String(page['elicitationId']))));
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
    const again = vscode.l10n.t('Call Again');
    const text = vscode.l10n.t('Call {0} again when you are done in the browser.', printable(name));
    const said = vscode.window.showInformationMessage(text, again);
    return await Promise.race([completed, said.then(answer => answer === again)]);
  } finally {
    listening.dispose();
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
      this.show({ message: progressText(this.latest), ...(increment > 0 && { increment }) });
    }
  }
}
