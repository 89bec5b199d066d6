import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { whenAborted } from '../../base/abortSignals.ts';
import { elicitationOf, type Page } from '../../domain/elicitation/elicitation.ts';
import type { ElicitationAnswer } from '../servers/elicitations.ts';
import { askForm } from './elicitationForm.ts';

const invalidParams = -32602;

/**
 * Asks the person what a server asks. It begins with a message that takes no focus: what is being
 * typed elsewhere must not become an answer.
 *
 * @param openBrowser whether it could be opened.
 * @throws an error with a code for the server when the parameters are none of a question.
 */
export async function elicit(
  serverLabel: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  openBrowser: (url: string) => Promise<boolean>,
): Promise<ElicitationAnswer> {
  const elicitation = elicitationOf(params);
  if (elicitation.kind === 'invalid') {
    throw Object.assign(new Error(elicitation.reason), { code: invalidParams });
  }
  const isForm = elicitation.kind === 'form';
  const go = isForm ? l10n.t('Answer…') : l10n.t('Show Link…');
  const decline = l10n.t('Decline');
  const text = isForm
    ? l10n.t(
        'The server "{0}" asks: {1} What you answer goes to it: give it no password and no key.',
        serverLabel,
        sentenceEnd(elicitation.message),
      )
    : l10n.t('The server "{0}" asks you to open a page: {1}', serverLabel, elicitation.message);
  const picked = await untilAborted(
    vscode.window.showInformationMessage(text, go, decline),
    signal,
  );
  if (picked !== go) {
    return { action: picked === decline ? 'decline' : 'cancel' };
  }
  return isForm
    ? askForm(serverLabel, elicitation.fields, signal)
    : askAboutPage(serverLabel, elicitation.page, signal, openBrowser);
}

/** Opens the page if the person agrees, having seen where it leads. Nothing of it is loaded before. */
async function askAboutPage(
  serverLabel: string,
  { url, host }: Page,
  signal: AbortSignal,
  openBrowser: (url: string) => Promise<boolean>,
): Promise<ElicitationAnswer> {
  const open = l10n.t('Open in Browser');
  const decline = l10n.t('Decline');
  const detail = l10n.t(
    'The server "{0}" sends you to this page:\n\n{1}\n\nWhat you enter there goes to {2}.',
    serverLabel,
    url,
    host,
  );
  const question = vscode.window.showWarningMessage(
    l10n.t('Open a page of {0} in your browser?', host),
    { modal: true, detail },
    open,
    decline,
  );
  const picked = await untilAborted(question, signal);
  if (picked === decline) {
    return { action: 'decline' };
  }
  const isOpened = picked === open && (await openBrowser(url));
  return { action: isOpened ? 'accept' : 'cancel' };
}

/** The answer, or `undefined` when the server takes its question back: the editor can't hide it. */
function untilAborted<T>(
  answer: Thenable<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    whenAborted(signal, () => resolve(undefined));
    answer.then(resolve, reject);
  });
}

function sentenceEnd(text: string): string {
  return /[.:!?…]$/.test(text) ? text : `${text}.`;
}
