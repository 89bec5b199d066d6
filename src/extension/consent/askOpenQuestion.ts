import { elicitationOf } from '../../domain/elicitation/elicitation.ts';
import { Command } from '../ids.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { commands } from '../vscode.ts';
import type { Waiting } from './folderQuestions.ts';
import type { OpenQuestion } from './openQuestions.ts';
import { clientName, folderNames, serverNames, shortLabel } from './shownNames.ts';

/** The question in one sentence, for a list of all that waits. */
export function openQuestionText(question: OpenQuestion): string {
  if (question.kind === 'client') {
    const { name, servers } = question.client;
    const labels = serverNames(servers().map(({ definition }) => definition));
    return t('Allow "{0}" to use {1}?', clientName(name), labels);
  }
  const label = shortLabel(question.server.definition);
  switch (question.kind) {
    case 'folders':
      return t('Allow "{0}" to see {1}?', label, folderNames(question.folders));
    case 'start':
      return t('Start "{0}" as it is now?', label);
    case 'elicitation': {
      const elicitation = elicitationOf(question.elicitation.params);
      return elicitation.kind === 'invalid'
        ? t('The server "{0}" asks.', label)
        : t('The server "{0}" asks: {1}', label, elicitation.message);
    }
  }
}

/**
 * Asks a question at once, past the messages that wait for their turn. Settles when it was answered or
 * left; one that no longer waits is not asked.
 */
export async function askOpenQuestion(
  question: OpenQuestion,
  consent: { askNow(waiting: Waiting): Promise<void> },
): Promise<void> {
  switch (question.kind) {
    case 'folders':
      return consent.askNow(question);
    case 'client':
      return question.client.askNow();
    case 'start': {
      const row: Row = { kind: 'server', server: question.server };
      await commands.executeCommand(Command.startServer, row);
      return;
    }
    case 'elicitation':
      question.elicitation.askNow();
  }
}
