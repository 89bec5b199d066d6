import { whenAborted } from '../../base/abortSignals.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type Elicitation,
  elicitationOf,
  type PageQuestion,
} from '../../domain/elicitation/elicitation.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cut } from '../../domain/printable.ts';
import type { Shown } from '../../domain/shown.ts';
import type { FromToolCall, ToToolCall } from '../../pages/pageMessages.ts';
import type { QuestionSource } from '../consent/openQuestions.ts';
import type { Button, Screen } from '../screen.ts';
import type { ElicitationAnswer, Elicitations } from '../servers/elicitations.ts';
import { shortLabel } from '../shownNames.ts';
import { t } from '../text.ts';
import type { Uri } from '../vscode.ts';
import { Page } from './page.ts';
import { readToolCall } from './readToolCall.ts';

const invalidParams = -32602;

/** The parts of a window that a server's question needs. */
export interface AskingWindow {
  readonly screen: Screen;
  readonly extensionUri: Uri;
  readonly logger: Logger;
  /** Resolves to true if the page was opened. */
  readonly openBrowser: (url: string) => Promise<boolean>;
}

/** A server's question that a person can be asked. */
export type ValidElicitation = Exclude<Elicitation, { readonly kind: 'invalid' }>;

/**
 * The server's question in these parameters.
 *
 * @throws an error with a code for the server when the parameters are invalid.
 */
export function questionOf(params: Readonly<Record<string, unknown>>): ValidElicitation {
  const elicitation = elicitationOf(params);
  if (elicitation.kind === 'invalid') {
    throw Object.assign(new Error(elicitation.reason), { code: invalidParams });
  }
  return elicitation;
}

/**
 * Asks the person a server's question. First comes a message without focus, so that text that is
 * being typed does not become an answer.
 *
 * @param onAskNow fires when the person opens the question elsewhere, or wants to see it again.
 * @throws an error with a code for the server when the parameters are invalid.
 */
export async function elicit(
  serverLabel: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  onAskNow: Event<void>,
  window: AskingWindow,
): Promise<ElicitationAnswer> {
  const elicitation = questionOf(params);
  let begun: Promise<ElicitationAnswer> | undefined;
  const begin = () => {
    begun ??=
      elicitation.kind === 'form'
        ? askInTab(serverLabel, elicitation, signal, onAskNow, window)
        : askAboutPage(serverLabel, elicitation.page, signal, window);
    return begun;
  };
  const isOpen = () => !signal.aborted && begun === undefined;
  const go = elicitation.kind === 'form' ? t('Answer…') : t('Show Link…');
  const buttons = [
    { title: go, follow: begin },
    { title: t('Decline'), follow: decline },
  ];
  const text = openText(serverLabel, elicitation);
  const announced = window.screen.show(() => (isOpen() ? { text, buttons, isOpen } : undefined));
  // If the person opened the question elsewhere, the message may close, and `begun` has the answer.
  const answered = announced.then(answer => answer ?? begun ?? cancelled);
  const asked = new Promise<ElicitationAnswer>(resolve => onAskNow(() => resolve(begin())));
  return (await untilAborted(Promise.race([answered, asked]), signal)) ?? cancelled;
}

/**
 * Asks a server's question in a tab of its own, when no tab waits for a call of the server. If the
 * tab is closed, the answer is `cancel`.
 *
 * @param onAskNow brings the tab to the front.
 */
function askInTab(
  serverLabel: string,
  { message, schema }: { readonly message: string; readonly schema: JsonObject },
  signal: AbortSignal,
  onAskNow: Event<void>,
  { extensionUri, logger }: Pick<AskingWindow, 'extensionUri' | 'logger'>,
): Promise<ElicitationAnswer> {
  const page = new Page<ToToolCall, FromToolCall>({
    viewType: 'mcpRoots.question',
    title: t('{0} asks', cut(serverLabel, 50)),
    bundle: 'toolCall',
    extensionUri,
    logger,
    read: readToolCall,
  });
  const question = { kind: 'form', message, schema: JSON.stringify(schema) } as const;
  page.onDidLoad(() => page.post({ kind: 'asked', id: 0, serverLabel, question }));
  const asking = onAskNow(() => page.reveal());
  return new Promise<ElicitationAnswer>(resolve => {
    page.onDidReceive(said => {
      if (said.kind === 'answer') {
        const { action, content } = said;
        resolve({ action, ...(action === 'accept' && { content: JSON.parse(content) }) });
      }
    });
    page.onDidClose(() => resolve({ action: 'cancel' }));
    whenAborted(signal, () => resolve({ action: 'cancel' }));
  }).finally(() => {
    asking.dispose();
    page.dispose();
  });
}

const cancelled: ElicitationAnswer = { action: 'cancel' };

async function decline(): Promise<ElicitationAnswer> {
  return { action: 'decline' };
}

/** The questions of servers that the person has not answered yet. */
export function elicitationQuestions(
  elicitations: Pick<Elicitations, 'openOf' | 'onDidChange'>,
): QuestionSource {
  return {
    of: server =>
      elicitations.openOf(server.definition).map(({ params, askNow }) => ({
        subject: server,
        text: openText(shortLabel(server.definition), elicitationOf(params)),
        detail: t('The server asks you a question'),
        ask: async () => askNow(),
      })),
    onDidChange: elicitations.onDidChange,
  };
}

function openText(serverLabel: string, elicitation: Elicitation): Shown {
  return elicitation.kind === 'invalid'
    ? t('The server "{0}" asks a question.', serverLabel)
    : t('The server "{0}" asks: {1}', serverLabel, elicitation.message);
}

/** Shows a page's address, and opens the page if the person agrees. Loads nothing before that. */
export async function askAboutPage(
  serverLabel: string,
  { url, host }: PageQuestion,
  signal: AbortSignal,
  { screen, openBrowser }: Pick<AskingWindow, 'screen' | 'openBrowser'>,
): Promise<ElicitationAnswer> {
  const detail = t(
    'The server "{0}" sends you to this page:\n\n{1}\n\nWhat you enter there goes to {2}.',
    serverLabel,
    url,
    host,
  );
  const text = t('Open a page of {0} in your browser?', host);
  const isOpen = () => !signal.aborted;
  const buttons: Button<ElicitationAnswer>[] = [
    {
      title: t('Open in Browser'),
      follow: async () => ({ action: (await openBrowser(url)) ? 'accept' : 'cancel' }),
    },
    { title: t('Decline'), follow: decline },
  ];
  const asked = screen.ask({ text, detail, buttons, isOpen });
  return (await untilAborted(asked, signal)) ?? cancelled;
}

/** Settles as the promise does, but with `undefined` when the signal is aborted first. */
export function untilAborted<T>(
  answer: Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    whenAborted(signal, () => resolve(undefined));
    answer.then(resolve, reject);
  });
}
