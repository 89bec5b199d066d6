import * as vscode from 'vscode';

/** What a person answers to the question whether a server may see some folders. */
export type Answer = 'allow' | 'choose' | 'deny' | 'not-now';

/** A button that gives an answer. */
export interface AnswerButton extends vscode.MessageItem {
  readonly answer: Answer;
}

/** The way out of a question that has to be left before anything else, the same as its `×`. */
export function notNowButton(): AnswerButton {
  return { title: vscode.l10n.t('Not Now'), answer: 'not-now', isCloseAffordance: true };
}

/** The buttons of every such question. Leaving it is "not now". */
export function answerButtons(): AnswerButton[] {
  return [
    { title: vscode.l10n.t('Allow'), answer: 'allow' },
    { title: vscode.l10n.t('Choose Folders…'), answer: 'choose' },
    { title: vscode.l10n.t("Don't Allow"), answer: 'deny' },
  ];
}
